// `split`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax split_syntax();
int run_split(const Arguments& arguments);

inline constexpr Command kSplit = {.name = "split",
                                   .summary = "splits rows into parts to train, tune and test on",
                                   .syntax = split_syntax,
                                   .run = run_split,
                                   .is_step = true};

}  // namespace rubric::cli
