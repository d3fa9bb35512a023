// `import`, which rubric-neural runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax import_syntax();

inline constexpr Example kImportExamples[] = {
    {"rubric import allennlp model.tar.gz --output lerc"},
    {"rubric score lerc --model lerc --input answers.csv --output scored.jsonl"},
};
inline constexpr Command kImport = {.name = "import",
                                    .summary = "makes a model directory of a published archive",
                                    .syntax = import_syntax,
                                    .is_neural = true,
                                    .examples = kImportExamples};

template <>
int run_neural<kImport>(const Arguments& arguments);

}  // namespace rubric::cli
