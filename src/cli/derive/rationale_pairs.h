// `derive rationale-pairs`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax rationale_pairs_syntax();
int run_derive_rationale_pairs(const Arguments& arguments);

inline constexpr Example kRationalePairsExamples[] = {
    {"rubric derive rationale-pairs vacuous --input samples/rev/dev.jsonl --output vacuous.jsonl",
     kRuns},
    {"rubric derive rationale-pairs x_yr --input generated.jsonl --keep-going --output x_yr.jsonl"},
};
inline constexpr Command kDeriveRationalePairs = {
    .name = "rationale-pairs",
    .summary = "pairs of rationale and label from what REV's task models wrote",
    .syntax = rationale_pairs_syntax,
    .run = run_derive_rationale_pairs,
    .examples = kRationalePairsExamples};

}  // namespace rubric::cli
