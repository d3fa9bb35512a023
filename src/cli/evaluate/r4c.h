// The suite of R4C (Inoue et al. 2020).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax r4c_syntax();
int run_evaluate_r4c(const Arguments& arguments);

inline constexpr Example kR4cExamples[] = {
    {"rubric derive r4c-pairs --hotpotqa samples/r4c/hotpot_dev.json --derivations "
     "samples/r4c/dev.json --output pairs.jsonl --max-references 1",
     kRuns},
    {"rubric derive derivations --input pairs.jsonl --text target --output predictions.json",
     kRuns},
    {"rubric evaluate r4c --gold samples/r4c/dev.json --predictions predictions.json --hotpotqa "
     "samples/r4c/hotpot_dev.json",
     kRuns},
};
inline constexpr Command kR4cSuite = {
    .name = "r4c",
    .summary = "derivations against reference derivations, as R4C aligns them",
    .syntax = r4c_syntax,
    .run = run_evaluate_r4c,
    .examples = kR4cExamples};

}  // namespace rubric::cli
