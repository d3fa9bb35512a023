// `choose`: which answers to label.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "rubric/choose.h"
#include "rubric/result.h"

namespace rubric::eval {

using rubric::ChooseMethod;
using rubric::ChooseRequest;

inline constexpr const char* kProbability = "probability";  // the sheet's columns
inline constexpr const char* kStratum = "stratum";
// A third one, of sheets whose rows were drawn with unequal probabilities: with it `estimate` knows
// that the other two were taken out or renamed.
inline constexpr const char* kSheetDraw = "sheet_draw";
inline constexpr const char* kUnequalDraw = "unequal: see probability and stratum";

// By row, the standard deviation of the ranks that the metrics give it, as shares of all rows:
// `--method disagreement` draws more where it is larger. scores[metric][row].
std::vector<double> rank_disagreement(std::span<const std::vector<double>> scores);

// Where the strata of `--method score` begin, but the lowest: the fifths of all scores; fewer where
// many are equal.
std::vector<double> ends_of_strata(std::vector<double> scores);

// Whether a stratum of a sheet is one of several of its draw, such as "1.2".
bool is_one_of_several(const std::string& stratum);

// Whether rows are of a sheet whose rows were drawn with unequal probabilities (kSheetDraw).
bool is_unequal_sheet(const data::ScoredSource& source);

// Whether rows are a judge's replies, as `rubric judge` keeps them.
bool is_ledger(const data::ScoredSource& source);

// Of the answers that were to be drawn from, by score.
struct ChosenStratum {
  double low = 0, high = 0;  // the scores in it
  int64_t answers = 0, chosen = 0;
  // Of the labels about the metric; nothing: too few labels.
  std::optional<double> standard_deviation = {};
};

// What is drawn from, and what an earlier sheet has of it.
struct ChoicePool {
  std::vector<std::vector<double>> scores;  // [metric][row]
  std::vector<uint32_t> questions;          // of rows
  bool draws_questions = false;             // all rows of a question together
  std::vector<uint32_t> earlier;            // the rows of the earlier sheet, ascending
  std::vector<double> probabilities;        // of these
  std::vector<std::string> strata;          // of these
  std::vector<uint32_t> labelled;           // the rows of these with a label, ascending
  std::vector<double> labels;               // of these
};

struct Choice {
  std::vector<uint32_t> rows;         // earlier ones, then new ones, both in random order
  std::vector<double> probabilities;  // of these
  // Of these: what they were drawn from, "1" for a first sheet, "2.1" for the lowest scores of a
  // second one. At least two answers, or questions, are of each.
  std::vector<std::string> strata;
  std::vector<ChosenStratum> described;  // strata by score
  std::vector<std::string> notes;
};

// Draws new rows until there are `budget`. docs/estimate.md derives the probabilities: weighted by
// their inverse the labels of all rows have the mean of all answers as their expectation, however
// `method` and the earlier labels decide what is drawn. Throws InputError for a budget that cannot
// be.
Choice choose_rows(const ChoicePool& pool, ChooseMethod method, int64_t budget, uint64_t seed);

// The sheet of the chosen rows: `human`, the fields that may be shown, kSheetDraw where
// probabilities differ by more than a twentieth, kProbability and kStratum.
// `labels` are the texts in the earlier sheet, by row, `system` is the field of systems. A note
// names the fields that are not in it.
Records sheet_records(const data::ScoredRows& rows, const Choice& choice,
                      const std::vector<std::string>& labels, const std::string& human,
                      const std::string& system, std::vector<std::string>& notes);

// A page to fill the sheet in, which saves it as the CSV `file`.
std::string sheet_page(const Records& sheet, const std::string& signature, const std::string& file,
                       const std::string& system);

// How many answers there are and were chosen, in all and by stratum.
Result choose_result(const ChoicePool& pool, const Choice& choice);

}  // namespace rubric::eval
