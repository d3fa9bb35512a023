// Which answers people should label, before it is a Result.
#pragma once

#include "eval/estimate/choose.h"
#include "rubric/choose.h"

namespace rubric::library {

// choose() in the present context.
eval::Chosen choose_answers(const ChooseRequest& request);

}  // namespace rubric::library
