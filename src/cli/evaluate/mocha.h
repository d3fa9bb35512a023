// The suite of MOCHA (Chen et al. 2020).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax mocha_syntax();
int run_evaluate_mocha(const Arguments& arguments);

inline constexpr Command kMochaSuite = {
    .name = "mocha",
    .parent = "evaluate",
    .summary = "correlation with MOCHA's judgements of answers, accuracy on minimal pairs",
    .syntax = mocha_syntax,
    .run = run_evaluate_mocha};

}  // namespace rubric::cli
