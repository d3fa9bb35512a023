// How results are printed.
#pragma once

namespace rubric {

enum class OutputFormat { text, json, markdown, csv, latex };

}  // namespace rubric
