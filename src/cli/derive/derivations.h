// `derive derivations`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax derivations_syntax();
int run_derive_derivations(const Arguments& arguments);

inline constexpr Command kDeriveDerivations = {
    .name = "derivations",
    .parent = "derive",
    .summary = "derivations from the texts that a sequence model wrote",
    .syntax = derivations_syntax,
    .run = run_derive_derivations};

}  // namespace rubric::cli
