// The suite of REV (Chen et al. 2022).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax rev_syntax();
int run_evaluate_rev(const Arguments& arguments);

inline constexpr Example kRevExamples[] = {
    {"rubric score rev --model runs/sample_rev/model --input samples/rev/test_informative.jsonl "
     "--output informative.jsonl"},
    {"rubric evaluate rev --pairs informative=informative.jsonl vacuous=vacuous.jsonl --report "
     "rev.html"},
};
inline constexpr Command kRevSuite = {
    .name = "rev",
    .summary = "kinds of free-text rationales compared by REV, LAS and RQ",
    .syntax = rev_syntax,
    .run = run_evaluate_rev,
    .examples = kRevExamples};

}  // namespace rubric::cli
