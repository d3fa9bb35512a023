// `reproduce`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax reproduce_syntax();
int run_reproduce(const Arguments& arguments);

inline constexpr Command kReproduce = {
    .name = "reproduce",
    .summary = "runs what is missing behind a paper's table, prints paper against measured",
    .syntax = reproduce_syntax,
    .run = run_reproduce,
    .has_link = true};

}  // namespace rubric::cli
