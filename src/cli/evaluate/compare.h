// `compare`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax compare_syntax();
int run_compare(const Arguments& arguments);

inline constexpr Command kCompare = {.name = "compare",
                                     .summary = "tests whether systems differ in one metric",
                                     .syntax = compare_syntax,
                                     .run = run_compare,
                                     .is_step = true};

}  // namespace rubric::cli
