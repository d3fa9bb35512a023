// `train`, which librubric-neural.so runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax train_syntax();

inline constexpr Command kTrain = {.name = "train",
                                   .summary = "trains a metric as a configuration file says",
                                   .syntax = train_syntax,
                                   .is_neural = true,
                                   .is_step = true,
                                   .has_link = true};

}  // namespace rubric::cli
