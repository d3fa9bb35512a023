// The suite of CHIE (Phatthiyaphaibun et al. 2024).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax chie_syntax();
int run_evaluate_chie(const Arguments& arguments);

inline constexpr Command kChieSuite = {
    .name = "chie",
    .parent = "evaluate",
    .summary = "systems by the four aspects of CHIE, from a judge's ledger",
    .syntax = chie_syntax,
    .run = run_evaluate_chie};

}  // namespace rubric::cli
