// `derive r4c-baseline`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax r4c_baseline_syntax();
int run_derive_r4c_baseline(const Arguments& arguments);

inline constexpr Example kR4cBaselineExamples[] = {
    {"scripts/parse hotpot_dev_distractor_v1.json parses.conllu"},
    {"rubric derive r4c-baseline core --articles hotpot_dev_distractor_v1.json --parses "
     "parses.conllu --output core.json"},
};
inline constexpr Command kDeriveR4cBaseline = {
    .name = "r4c-baseline",
    .summary = "R4C's baselines, CORE and IE: derivations from parsed sentences",
    .syntax = r4c_baseline_syntax,
    .run = run_derive_r4c_baseline,
    .examples = kR4cBaselineExamples};

}  // namespace rubric::cli
