// The suite of REV (Chen et al. 2022).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax rev_syntax();
int run_evaluate_rev(const Arguments& arguments);

inline constexpr Command kRevSuite = {
    .name = "rev",
    .parent = "evaluate",
    .summary = "kinds of free-text rationales compared by REV, LAS and RQ",
    .syntax = rev_syntax,
    .run = run_evaluate_rev};

}  // namespace rubric::cli
