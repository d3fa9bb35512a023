// `describe`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax describe_syntax();
int run_describe(const Arguments& arguments);

inline constexpr Example kDescribeExamples[] = {
    {"rubric describe mocha samples/mocha/train.json samples/mocha/dev.json", kRuns},
    {"rubric describe r4c samples/r4c/train.json samples/r4c/dev.json", kRuns},
    {"rubric describe rationales samples/rev/dev.jsonl --format markdown", kRuns},
};
inline constexpr Command kDescribe = {.name = "describe",
                                      .summary = "a data set's statistics",
                                      .syntax = describe_syntax,
                                      .run = run_describe,
                                      .is_step = true,
                                      .has_link = true,
                                      .examples = kDescribeExamples};

}  // namespace rubric::cli
