// `derive`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax derive_syntax();
int run_derive(const Arguments& arguments);

inline constexpr Command kDerive = {
    .name = "derive",
    .summary = "makes derivations from parsed sentences, R4C's baselines",
    .syntax = derive_syntax,
    .run = run_derive,
    .is_step = true,
    .has_link = true};

}  // namespace rubric::cli
