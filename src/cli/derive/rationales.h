// `derive rationales`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax rationales_syntax();
int run_derive_rationales(const Arguments& arguments);

inline constexpr Command kDeriveRationales = {
    .name = "rationales",
    .parent = "derive",
    .summary = "rows of rationales from a published data set",
    .syntax = rationales_syntax,
    .run = run_derive_rationales};

}  // namespace rubric::cli
