// `judge`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax judge_syntax();
int run_judge(const Arguments& arguments);

inline constexpr Command kJudge = {
    .name = "judge",
    .summary = "asks a language model about answers (CHIE), or replays its replies",
    .syntax = judge_syntax,
    .run = run_judge,
    .is_step = true,
    .has_link = true};

}  // namespace rubric::cli
