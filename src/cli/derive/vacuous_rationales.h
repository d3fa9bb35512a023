// `derive vacuous-rationales`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax vacuous_rationales_syntax();
int run_derive_vacuous_rationales(const Arguments& arguments);

inline constexpr Example kVacuousRationalesExamples[] = {
    {"rubric derive vacuous-rationales --input train.jsonl --output with_baselines.jsonl"},
    {"rubric derive vacuous-rationales --input train.jsonl --statements statements.jsonl --output "
     "with_baselines.jsonl"},
};
inline constexpr Command kDeriveVacuousRationales = {
    .name = "vacuous-rationales",
    .summary = "rationale rows with REV's vacuous rationales, to compare theirs with",
    .syntax = vacuous_rationales_syntax,
    .run = run_derive_vacuous_rationales,
    .examples = kVacuousRationalesExamples};

}  // namespace rubric::cli
