// The figures of the CHIE suite, to be read and as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "eval/chie_suite.h"
#include "eval/chie_words.h"
#include "eval/table.h"

namespace rubric {

// The systems, and where there are some the replies that the two parsers read differently.
std::vector<Table> chie_tables(const ChieEvaluation& evaluation, const ChieWordFigures& words);

// A row of system, figure and value for each figure: what --format csv prints.
Table chie_figure_list(const ChieEvaluation& evaluation, const ChieWordFigures& words);

// {"systems": {NAME: {"C", "H", "I", "E", "n", "invalid", "f1", "em", "bertscore", "mean_length",
// "language"}}, "disagreements": [{"system", "language", "id", "published", "strict"}], "notes"}.
// bertscore is null where it is not scored.
Json to_json(const ChieEvaluation& evaluation, const ChieWordFigures& words);

// What the figures are.
std::vector<std::string> chie_notes(const ChieEvaluation& evaluation, const ChieWordFigures& words);

}  // namespace rubric
