// `choose`.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax choose_syntax();
int run_choose(const Arguments& arguments);

inline constexpr Example kChooseExamples[] = {
    {"rubric score f1,rouge_l --input samples/own/few_ratings.csv --output scored.jsonl", kRuns},
    {"rubric choose --input scored.jsonl --budget 24 --human verdict --system system "
     "--output sheet.html",
     kRuns},
    {"rubric choose --input scored.jsonl --labels sheet.csv --budget 120 --method score --metric "
     "f1 "
     "--output more.csv"},
};
inline constexpr Command kChoose = {
    .name = "choose",
    .summary = "draws the answers that people should label, with known probabilities",
    .syntax = choose_syntax,
    .run = run_choose,
    .examples = kChooseExamples};

}  // namespace rubric::cli
