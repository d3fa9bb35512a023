// The results of the CHIE suite as tables, notes and JSON.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/chie/results.h"
#include "eval/report/table.h"

namespace rubric::eval {

// Tables.

// The systems, and if present: majority of annotators, terciles, agreement with that majority and
// between judges, and replies that the two parsers read differently.
std::vector<Table> chie_tables(const ChieResults& results);

// Notes.

// For each table, then overall: what the values are, and what is left out.
std::vector<std::string> system_notes(const ChieResults& results);
std::vector<std::string> tercile_notes(const ChieResults& results);   // with terciles
std::vector<std::string> majority_notes(const ChieResults& results);  // with labels
std::vector<std::string> judge_notes(const ChieResults& results);     // with other ledgers
std::vector<std::string> chie_notes(const ChieResults& results);

// JSON.

// {"systems": {NAME: {"C", "H", "I", "E", "n", "invalid", "f1", "em", "bertscore", "mean_length",
// "language"}}, "majority": {NAME: {"n", "C", "H", "I", "E", "ties_C", …}}, "terciles": [{"name",
// "n", "lowest", "highest", "C", "H", "I", "E", "undecided", "tied", "mean_length"}], "agreement":
// {ASSESSOR: {"truth", "answers", "questions", "invalid", "C": {"n", "tp", "fp", "fn", "tn",
// "precision", "recall", "f1", "ci95": {"precision": [low, high], …}, "undefined": {"precision":
// resamples, …}}, "H", "I", "E", "overall"}}, "judges": [{"first", "second", "answers",
// "questions", "invalid": [of the first, of the second], "C": {"n", "both", "first_only",
// "second_only", "neither", "agreement", "kappa", "ci95", "undefined"}, …, "overall"}],
// "disagreements":
// [{"system", "language", "id", "published", "strict"}], "notes"}. In "agreement" the judges come
// first, then the annotators, "human 4". Null is what is not scored, or undefined;
// lists and majority are empty where they were not asked for. All in percent but counts, lengths
// and kappa.
Json to_json(const ChieResults& results);

// A value a row: name, figure, value, low, high. For a system "C", "f1", … and "majority_C", …; for
// a tercile ("low") "tercile_C", …; for an assessor and the truth ("A / majority of humans 1, 2,
// 3") "truth_C_precision", …; for two judges ("A / B") "judges_C_kappa", ….
Table chie_value_table(const ChieResults& results);

}  // namespace rubric::eval
