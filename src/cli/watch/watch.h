// `watch`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax watch_syntax();
int run_watch(const Arguments& arguments);

inline constexpr Example kWatchExamples[] = {
    {"rubric watch runs/own"},
    {"rubric watch runs/*/ --once --format markdown"},
};
inline constexpr Command kWatch = {.name = "watch",
                                   .summary = "shows the curves of training runs in the terminal",
                                   .syntax = watch_syntax,
                                   .run = run_watch,
                                   .examples = kWatchExamples};

}  // namespace rubric::cli
