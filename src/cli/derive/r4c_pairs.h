// `derive r4c-pairs`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax r4c_pairs_syntax();
int run_derive_r4c_pairs(const Arguments& arguments);

inline constexpr Example kR4cPairsExamples[] = {
    {"rubric derive r4c-pairs --hotpotqa samples/r4c/hotpot_train.json --derivations "
     "samples/r4c/train.json --output train.jsonl",
     kRuns},
    {"rubric derive r4c-pairs --hotpotqa samples/r4c/hotpot_dev.json --output to_write.jsonl",
     kRuns},
};
inline constexpr Command kDeriveR4cPairs = {
    .name = "r4c-pairs",
    .summary = "rows of source and target that a sequence model learns derivations from",
    .syntax = r4c_pairs_syntax,
    .run = run_derive_r4c_pairs,
    .examples = kR4cPairsExamples};

}  // namespace rubric::cli
