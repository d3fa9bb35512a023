// `derive r4c-baseline`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax r4c_baseline_syntax();
int run_derive_r4c_baseline(const Arguments& arguments);

inline constexpr Command kDeriveR4cBaseline = {
    .name = "r4c-baseline",
    .parent = "derive",
    .summary = "R4C's baselines, CORE and IE: derivations from parsed sentences",
    .syntax = r4c_baseline_syntax,
    .run = run_derive_r4c_baseline};

}  // namespace rubric::cli
