// `describe`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax describe_syntax();
int run_describe(const Arguments& arguments);

inline constexpr Command kDescribe = {.name = "describe",
                                      .summary = "a data set's statistics",
                                      .syntax = describe_syntax,
                                      .run = run_describe,
                                      .is_step = true,
                                      .has_link = true};

}  // namespace rubric::cli
