// `prepare`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax prepare_syntax();
int run_prepare(const Arguments& arguments);

inline constexpr Command kPrepare = {
    .name = "prepare",
    .summary = "tokenises a configuration's data ahead of training",
    .syntax = prepare_syntax,
    .run = run_prepare,
    .has_link = true};

}  // namespace rubric::cli
