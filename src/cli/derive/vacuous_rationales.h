// `derive vacuous-rationales`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax vacuous_rationales_syntax();
int run_derive_vacuous_rationales(const Arguments& arguments);

inline constexpr Command kDeriveVacuousRationales = {
    .name = "vacuous-rationales",
    .parent = "derive",
    .summary = "rationale rows with REV's vacuous rationales, to compare theirs with",
    .syntax = vacuous_rationales_syntax,
    .run = run_derive_vacuous_rationales};

}  // namespace rubric::cli
