// `quantize`, which rubric-neural runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax quantize_syntax();

inline constexpr Example kQuantizeExamples[] = {
    {"rubric quantize runs/lerc/model --output runs/lerc_int8"},
    {"rubric score lerc --model runs/lerc_int8 --input answers.csv --output scored.jsonl"},
};
inline constexpr Command kQuantize = {
    .name = "quantize",
    .summary = "copies a model directory with weights in 8 bits, a quarter of the space",
    .syntax = quantize_syntax,
    .is_neural = true,
    .is_step = true,
    .examples = kQuantizeExamples};

template <>
int run_neural<kQuantize>(const Arguments& arguments);

}  // namespace rubric::cli
