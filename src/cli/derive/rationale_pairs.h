// `derive rationale-pairs`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax rationale_pairs_syntax();
int run_derive_rationale_pairs(const Arguments& arguments);

inline constexpr Command kDeriveRationalePairs = {
    .name = "rationale-pairs",
    .parent = "derive",
    .summary = "pairs of rationale and label from what REV's task models wrote",
    .syntax = rationale_pairs_syntax,
    .run = run_derive_rationale_pairs};

}  // namespace rubric::cli
