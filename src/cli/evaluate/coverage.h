// `evaluate coverage`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax coverage_syntax();
int run_evaluate_coverage(const Arguments& arguments);

inline constexpr Example kCoverageExamples[] = {
    {"rubric score f1,rouge_l --input samples/mocha/dev.json --output scored.json", kRuns},
    {"rubric evaluate coverage --input scored.json --sizes 12 --draws 200", kRuns},
    {"rubric evaluate coverage --ledger gpt-4.jsonl --other-ledger gpt-4o.jsonl --human C"},
};
inline constexpr Command kCoverageSuite = {
    .name = "coverage",
    .summary = "how often the intervals of `estimate` hold the truth, over many draws of labels",
    .syntax = coverage_syntax,
    .run = run_evaluate_coverage,
    .examples = kCoverageExamples};

}  // namespace rubric::cli
