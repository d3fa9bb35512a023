// `generate`, which librubric-neural.so runs.
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

}  // namespace rubric::cli
