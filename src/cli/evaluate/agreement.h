// The suite for anyone's own human labels.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax agreement_syntax();
int run_evaluate_agreement(const Arguments& arguments);

inline constexpr Command kAgreementSuite = {
    .name = "agreement",
    .summary = "which of several metrics agrees best with human labels, on your own rows",
    .syntax = agreement_syntax,
    .run = run_evaluate_agreement};

}  // namespace rubric::cli
