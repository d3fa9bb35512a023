// `evaluate coverage`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax coverage_syntax();
int run_evaluate_coverage(const Arguments& arguments);

inline constexpr Command kCoverageSuite = {
    .name = "coverage",
    .parent = "evaluate",
    .summary = "how often the intervals of `estimate` hold the truth, over many draws of labels",
    .syntax = coverage_syntax,
    .run = run_evaluate_coverage};

}  // namespace rubric::cli
