// `derive derivations`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax derivations_syntax();
int run_derive_derivations(const Arguments& arguments);

inline constexpr Example kDerivationsExamples[] = {
    {"rubric generate --model runs/sample_r4c_t5/model --input to_write.jsonl --output "
     "generated.jsonl"},
    {"rubric derive derivations --input generated.jsonl --text generated --output "
     "predictions.json"},
};
inline constexpr Command kDeriveDerivations = {
    .name = "derivations",
    .summary = "derivations from the texts that a sequence model wrote",
    .syntax = derivations_syntax,
    .run = run_derive_derivations,
    .examples = kDerivationsExamples};

}  // namespace rubric::cli
