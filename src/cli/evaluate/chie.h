// The suite of CHIE (Phatthiyaphaibun et al. 2024).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax chie_syntax();
int run_evaluate_chie(const Arguments& arguments);

inline constexpr Example kChieExamples[] = {
    {"rubric judge --import samples/chie/replies.csv --judge gpt-4o --ledger ledger.jsonl", kRuns},
    {"rubric evaluate chie --ledger ledger.jsonl --report chie.html", kRuns},
    {"rubric evaluate chie --ledger ledger.jsonl --human-file samples/chie/labels.csv --annotator "
     "a,b,c",
     kRuns},
};
inline constexpr Command kChieSuite = {
    .name = "chie",
    .summary = "systems by the four aspects of CHIE, from a judge's ledger",
    .syntax = chie_syntax,
    .run = run_evaluate_chie,
    .examples = kChieExamples};

}  // namespace rubric::cli
