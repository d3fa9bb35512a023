// The figures of the CHIE suite, to be read and as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "eval/chie_suite.h"
#include "eval/table.h"

namespace rubric {

// The systems, and where there are some the replies that the two parsers read differently.
std::vector<Table> chie_tables(const ChieEvaluation& evaluation);

// A row of system, figure and value for each figure: what --format csv prints.
Table chie_figure_list(const ChieEvaluation& evaluation);

// {"systems": {NAME: {"C", "H", "I", "E", "n", "invalid", "f1", "em", "bertscore", "mean_length",
// "language"}}, "disagreements": [{"system", "language", "id", "published", "strict"}], "notes"}.
// Figures that are not there are null.
Json to_json(const ChieEvaluation& evaluation);

// What the figures are and leave out.
std::vector<std::string> chie_notes(const ChieEvaluation& evaluation);

}  // namespace rubric
