// `generate`, which rubric-neural runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax generate_syntax();

inline constexpr Example kGenerateExamples[] = {
    {"rubric generate --model runs/sample_r4c_t5/model --input pairs.jsonl --output "
     "generated.jsonl"},
    {"rubric generate --model t5-base --source 'summarize: {passage}' --beams 4 --input rows.jsonl "
     "--output summaries.jsonl"},
};
inline constexpr Command kGenerate = {
    .name = "generate",
    .summary = "writes texts with a sequence model, or chooses among given ones",
    .syntax = generate_syntax,
    .is_neural = true,
    .is_step = true,
    .has_link = true,
    .examples = kGenerateExamples};

template <>
int run_neural<kGenerate>(const Arguments& arguments);

}  // namespace rubric::cli
