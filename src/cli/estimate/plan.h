// `plan`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax plan_syntax();
int run_plan(const Arguments& arguments);

inline constexpr Example kPlanExamples[] = {
    {"rubric score f1,rouge_l --input samples/own/few_ratings.csv --output scored.jsonl", kRuns},
    {"rubric plan --all scored.jsonl --human rating --system system --difference 0.5 --width 0.2",
     kRuns},
    {"rubric plan --all scored.jsonl --labels labels.csv --human verdict --width 0.03"},
};
inline constexpr Command kPlan = {
    .name = "plan",
    .summary = "tells how many labels a difference or a narrow interval takes, from a pilot",
    .syntax = plan_syntax,
    .run = run_plan,
    .examples = kPlanExamples};

}  // namespace rubric::cli
