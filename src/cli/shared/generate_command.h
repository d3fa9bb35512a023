// `generate`, which rubric-neural runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax generate_syntax();

inline constexpr Command kGenerate = {
    .name = "generate",
    .summary = "writes texts with a sequence model, or chooses among given ones",
    .syntax = generate_syntax,
    .is_neural = true,
    .is_step = true,
    .has_link = true};

template <>
int run_neural<kGenerate>(const Arguments& arguments);

}  // namespace rubric::cli
