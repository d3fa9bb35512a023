// The figures of the CHIE suite for other programs.
#pragma once

#include "core/json/json.h"
#include "eval/chie/output.h"
#include "eval/report/table.h"

namespace rubric {

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

// A figure a row: name, figure, value, low, high. Of a system, "C", "f1", … and
// "majority_C", …; of a tercile ("low"), "tercile_C", …; of an assessor and
// the truth ("A / majority of humans 1, 2, 3"), "truth_C_precision", …; of two judges ("A / B"),
// "judges_C_kappa", ….
Table chie_figure_list(const ChieResults& results);

}  // namespace rubric
