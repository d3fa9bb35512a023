// `reproduce`.
#pragma once

#include "cli/command.h"
#include "eval/reproduce/experiment.h"

namespace rubric::cli {

CommandSyntax reproduce_syntax();
int run_reproduce(const Arguments& arguments);

inline constexpr Command kReproduce = {
    .name = "reproduce",
    .summary = "runs what is missing behind a paper's table, prints paper against measured",
    .syntax = reproduce_syntax,
    .run = run_reproduce,
    .has_link = true};

// The commands of an experiment's steps, from cli/list.h.
eval::StepCommands step_commands();

}  // namespace rubric::cli
