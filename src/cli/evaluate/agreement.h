// The suite for anyone's own human labels.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax agreement_syntax();
int run_evaluate_agreement(const Arguments& arguments);

inline constexpr Example kAgreementExamples[] = {
    {"rubric score f1,rouge_l --input samples/mocha/dev.json --output scored.json", kRuns},
    {"rubric evaluate agreement --input scored.json --group constituent --report agreement.html",
     kRuns},
    {"rubric evaluate agreement --input test.csv --dev dev.csv --human judge --system model"},
};
inline constexpr Command kAgreementSuite = {
    .name = "agreement",
    .summary = "which of several metrics agrees best with human labels, on your own rows",
    .syntax = agreement_syntax,
    .run = run_evaluate_agreement,
    .examples = kAgreementExamples};

}  // namespace rubric::cli
