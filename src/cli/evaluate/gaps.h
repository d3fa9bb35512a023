// Error analysis.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax gaps_syntax();
int run_evaluate_gaps(const Arguments& arguments);

inline constexpr Example kGapsExamples[] = {
    {"rubric score f1,rouge_l --input samples/mocha/dev.json --output scored.json", kRuns},
    {"rubric evaluate gaps --input scored.json --metric f1 --output gaps.csv --report gaps.html",
     kRuns},
    {"rubric evaluate gaps --input scored.json --metric f1,rouge_l --most 3 --output between.jsonl",
     kRuns},
};
inline constexpr Command kGapsSuite = {
    .name = "gaps",
    .summary = "the rows on which a metric errs most, for error analysis, and its tally",
    .syntax = gaps_syntax,
    .run = run_evaluate_gaps,
    .examples = kGapsExamples};

}  // namespace rubric::cli
