// The suite of MOCHA (Chen et al. 2020).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax mocha_syntax();
int run_evaluate_mocha(const Arguments& arguments);

inline constexpr Example kMochaExamples[] = {
    {"rubric score f1,rouge_l --input samples/mocha/dev.json --output scored.json", kRuns},
    {"rubric evaluate mocha --data samples/mocha/dev.json --scores scored.json --report mocha.html",
     kRuns},
    {"rubric evaluate mocha --data samples/mocha/dev.json --scores scored.json --metric f1 "
     "--constituent drop",
     kRuns},
};
inline constexpr Command kMochaSuite = {
    .name = "mocha",
    .summary = "correlation with MOCHA's judgements of answers, accuracy on minimal pairs",
    .syntax = mocha_syntax,
    .run = run_evaluate_mocha,
    .examples = kMochaExamples};

}  // namespace rubric::cli
