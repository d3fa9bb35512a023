// Every reader of multiple-choice questions.
#pragma once

#include "core/list.h"
#include "data/multiple_choice/boolq.h"
#include "data/multiple_choice/mctest.h"
#include "data/multiple_choice/multirc.h"
#include "data/multiple_choice/race.h"
#include "data/multiple_choice/readers.h"

namespace rubric::data {

// A new data set is a line here, and files of its own.
inline constexpr const ChoiceReader* kChoiceReaders[] = {
    &kMcTest,
    &kRace,
    &kBoolQ,
    &kMultiRc,
};
static_assert(have_unique_names(kChoiceReaders));

}  // namespace rubric::data
