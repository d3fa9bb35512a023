// `list`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax list_syntax();
int run_list(const Arguments& arguments);

inline constexpr Command kList = {
    .name = "list",
    .summary = "lists metrics, models, readers, tasks, suites or commands",
    .syntax = list_syntax,
    .run = run_list};

}  // namespace rubric::cli
