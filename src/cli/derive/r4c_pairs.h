// `derive r4c-pairs`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax r4c_pairs_syntax();
int run_derive_r4c_pairs(const Arguments& arguments);

inline constexpr Command kDeriveR4cPairs = {
    .name = "r4c-pairs",
    .parent = "derive",
    .summary = "rows of source and target that a sequence model learns derivations from",
    .syntax = r4c_pairs_syntax,
    .run = run_derive_r4c_pairs};

}  // namespace rubric::cli
