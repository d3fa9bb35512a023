// `derive rationales`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax rationales_syntax();
int run_derive_rationales(const Arguments& arguments);

inline constexpr Example kRationalesExamples[] = {
    {"rubric derive rationales ecqa cqa_data_train.csv --output train.jsonl"},
    {"rubric derive rationales cose cose_train_v1.11_processed.jsonl --questions "
     "train_rand_split.jsonl --sample 0.9 --rest dev.jsonl --output train.jsonl"},
};
inline constexpr Command kDeriveRationales = {
    .name = "rationales",
    .summary = "rows of rationales from a published data set",
    .syntax = rationales_syntax,
    .run = run_derive_rationales,
    .examples = kRationalesExamples};

}  // namespace rubric::cli
