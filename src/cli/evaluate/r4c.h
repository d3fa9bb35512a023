// The suite of R4C (Inoue et al. 2020).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax r4c_syntax();
int run_evaluate_r4c(const Arguments& arguments);

inline constexpr Command kR4cSuite = {
    .name = "r4c",
    .parent = "evaluate",
    .summary = "derivations against reference derivations, as R4C aligns them",
    .syntax = r4c_syntax,
    .run = run_evaluate_r4c};

}  // namespace rubric::cli
