// `import`, which librubric-neural.so runs.
#pragma once

#include "cli/command.h"

namespace rubric::cli {

CommandSyntax import_syntax();

inline constexpr Command kImport = {.name = "import",
                                    .summary = "makes a model directory of a published archive",
                                    .syntax = import_syntax,
                                    .is_neural = true};

}  // namespace rubric::cli
