// The suite of preferences (Phatthiyaphaibun et al. 2024, Table 6).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax preference_syntax();
int run_evaluate_preference(const Arguments& arguments);

inline constexpr Command kPreferenceSuite = {
    .name = "preference",
    .parent = "evaluate",
    .summary = "which of two answers a judge prefers, and whether their order matters",
    .syntax = preference_syntax,
    .run = run_evaluate_preference};

}  // namespace rubric::cli
