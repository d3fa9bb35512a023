// The commands of an experiment's steps, as cli/list.h has them.
#pragma once

#include "eval/reproduce/experiment.h"

namespace rubric::cli {

eval::StepCommands step_commands();

}  // namespace rubric::cli
