// `quantize` and `average`, which librubric-neural.so runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax quantize_syntax();

inline constexpr Command kQuantize = {
    .name = "quantize",
    .summary = "copies a model directory with weights in 8 bits, a quarter of the space",
    .syntax = quantize_syntax,
    .is_neural = true,
    .is_step = true};

CommandSyntax average_syntax();

inline constexpr Command kAverage = {
    .name = "average",
    .summary = "makes one model of several: the mean of their weights",
    .syntax = average_syntax,
    .is_neural = true,
    .is_step = true};

}  // namespace rubric::cli
