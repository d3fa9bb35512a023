// `derive behaviours`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax behaviours_syntax();
int run_derive_behaviours(const Arguments& arguments);

inline constexpr Command kDeriveBehaviours = {
    .name = "behaviours",
    .parent = "derive",
    .summary = "pairs of right and wrong answers by rule, to test metrics of answers with",
    .syntax = behaviours_syntax,
    .run = run_derive_behaviours};

}  // namespace rubric::cli
