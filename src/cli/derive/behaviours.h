// `derive behaviours`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax behaviours_syntax();
int run_derive_behaviours(const Arguments& arguments);

inline constexpr Example kBehavioursExamples[] = {
    {"rubric derive behaviours --input samples/mocha/dev.json --output behaviours.jsonl", kRuns},
    {"rubric derive behaviours --input answers.csv --behaviour negation,number --output "
     "hard.jsonl"},
};
inline constexpr Command kDeriveBehaviours = {
    .name = "behaviours",
    .summary = "pairs of right and wrong answers by rule, to test metrics of answers with",
    .syntax = behaviours_syntax,
    .run = run_derive_behaviours,
    .examples = kBehavioursExamples};

}  // namespace rubric::cli
