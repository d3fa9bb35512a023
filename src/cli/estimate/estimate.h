// `estimate`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax estimate_syntax();
int run_estimate(const Arguments& arguments);

inline constexpr Example kEstimateExamples[] = {
    {"rubric score f1,rouge_l --input samples/own/few_ratings.csv --output scored.jsonl", kRuns},
    {"rubric estimate --all scored.jsonl --human rating --system system --report estimate.html",
     kRuns},
    {"rubric estimate --ledger gpt-4o.jsonl --labels labels.csv --human C"},
};
inline constexpr Command kEstimate = {
    .name = "estimate",
    .summary = "estimates how good systems are from scores of all answers and labels of a few",
    .syntax = estimate_syntax,
    .run = run_estimate,
    .is_step = true,
    .examples = kEstimateExamples};

}  // namespace rubric::cli
