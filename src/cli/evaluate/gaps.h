// Error analysis.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax gaps_syntax();
int run_evaluate_gaps(const Arguments& arguments);

inline constexpr Command kGapsSuite = {
    .name = "gaps",
    .parent = "evaluate",
    .summary = "the rows on which a metric errs most, for error analysis, and its tally",
    .syntax = gaps_syntax,
    .run = run_evaluate_gaps};

}  // namespace rubric::cli
