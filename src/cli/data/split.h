// `split`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax split_syntax();
int run_split(const Arguments& arguments);

inline constexpr Example kSplitExamples[] = {
    {"rubric split --input samples/mocha/train.json --output parts", kRuns},
    {"rubric split --input answers.csv --output mine --by passage --at-most train=1000"},
    {"rubric split --input NQ.json --input own.jsonl --output mixed"},
};
inline constexpr Command kSplit = {.name = "split",
                                   .summary = "splits rows into parts to train, tune and test on",
                                   .syntax = split_syntax,
                                   .run = run_split,
                                   .is_step = true,
                                   .examples = kSplitExamples};

}  // namespace rubric::cli
