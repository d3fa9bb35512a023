// `judge`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax judge_syntax();
int run_judge(const Arguments& arguments);

inline constexpr Example kJudgeExamples[] = {
    {"rubric judge --import samples/chie/replies.csv --judge gpt-4o --ledger ledger.jsonl", kRuns},
    {"rubric judge --input answers.jsonl --system-name mine --judge gpt-4o --endpoint "
     "https://api.openai.com/v1 --ledger gpt-4o.jsonl"},
};
inline constexpr Command kJudge = {
    .name = "judge",
    .summary = "asks a language model about answers (CHIE), or replays its replies",
    .syntax = judge_syntax,
    .run = run_judge,
    .is_step = true,
    .has_link = true,
    .examples = kJudgeExamples};

}  // namespace rubric::cli
