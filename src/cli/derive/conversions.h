// `derive conversions`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax conversions_syntax();
int run_derive_conversions(const Arguments& arguments);

inline constexpr Command kDeriveConversions = {
    .name = "conversions",
    .parent = "derive",
    .summary = "questions with their answers, for a converter of them to vacuous rationales",
    .syntax = conversions_syntax,
    .run = run_derive_conversions};

}  // namespace rubric::cli
