// `completion`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax completion_syntax();
int run_completion(const Arguments& arguments);

inline constexpr Command kCompletion = {
    .name = "completion",
    .summary = "what completes commands, options and metrics in bash, zsh or fish",
    .syntax = completion_syntax,
    .run = run_completion};

}  // namespace rubric::cli
