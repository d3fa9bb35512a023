// `compare`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax compare_syntax();
int run_compare(const Arguments& arguments);

inline constexpr Example kCompareExamples[] = {
    {"rubric score f1,em --input samples/chie/replies.csv --output scored.jsonl", kRuns},
    {"rubric compare scored.jsonl --system system --metric f1,em --report compare.html", kRuns},
    {"rubric compare mine.jsonl theirs.jsonl --metric f1 --group dataset"},
};
inline constexpr Command kCompare = {
    .name = "compare",
    .summary = "tests whether systems differ in one or more metrics",
    .syntax = compare_syntax,
    .run = run_compare,
    .is_step = true,
    .examples = kCompareExamples};

}  // namespace rubric::cli
