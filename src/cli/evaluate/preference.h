// The suite of preferences (Phatthiyaphaibun et al. 2024, Table 6).
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax preference_syntax();
int run_evaluate_preference(const Arguments& arguments);

inline constexpr Example kPreferenceExamples[] = {
    {"rubric judge --preference --input pairs.jsonl --ledger preferences.jsonl --endpoint "
     "http://localhost:8000/v1 --judge llama-3"},
    {"rubric evaluate preference --ledger preferences.jsonl --report preferences.html"},
};
inline constexpr Command kPreferenceSuite = {
    .name = "preference",
    .summary = "which of two answers a judge prefers, and whether their order matters",
    .syntax = preference_syntax,
    .run = run_evaluate_preference,
    .examples = kPreferenceExamples};

}  // namespace rubric::cli
