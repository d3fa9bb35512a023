// All that the CHIE suite finds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "eval/chie/agreement.h"
#include "eval/chie/suite.h"
#include "eval/report/table.h"

namespace rubric::eval {

struct ChieResults {
  ChieEvaluation evaluation;
  ChieWordCounts words;
  std::optional<ChieAgreements> agreements = {};  // where labels or other ledgers are given
  std::vector<ChieTercile> terciles = {};         // where BERTScore is
};

// The figures of the CHIE suite, to be read.

// The systems, and what else there is: by the annotators, terciles, agreement with the annotators'
// majority and between judges, replies that the two parsers read differently.
std::vector<Table> chie_tables(const ChieResults& results);

// What a reader of the CHIE suite's figures must know.

// Of each table, then of all: what its figures are, and what is left out of them.
std::vector<std::string> system_notes(const ChieResults& results);
std::vector<std::string> tercile_notes(const ChieResults& results);   // with terciles
std::vector<std::string> majority_notes(const ChieResults& results);  // with labels
std::vector<std::string> judge_notes(const ChieResults& results);     // with other ledgers
std::vector<std::string> chie_notes(const ChieResults& results);

// The figures of the CHIE suite for other programs.

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
Table chie_value_table(const ChieResults& results);

}  // namespace rubric::eval
