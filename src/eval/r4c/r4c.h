// R4C's evaluation of derivations (Inoue et al. 2020, section 2.2), and HotpotQA's scores of the
// same predictions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "metrics/derivations/derivation_scores.h"

namespace rubric::eval {

struct R4cOptions {
  bool ignore_missing = false;  // leave out questions without a prediction
  int64_t references = 0;       // draw so many references for each question; 0: use all
  uint64_t seed = 0;            // for the draw
};

struct HotpotScores {
  metrics::HotpotScore answer, supporting_facts, joint;
};

struct R4cQuestion {
  std::string id;
  data::Derivation candidate;
  std::vector<data::Derivation> references;  // all of the gold file's
  metrics::DerivationScores scores;          // by the best of the references used
  std::optional<HotpotScores> hotpotqa;
};

struct PrecisionRecallF1 {
  double precision = 0, recall = 0, f1 = 0;
};
// In the order of kStepScorers.
using R4cMeans = std::array<PrecisionRecallF1, metrics::kStepScorers.size()>;

struct HotpotMeans : HotpotScores {
  int64_t without_answer = 0, without_facts = 0;  // predictions that lack them, which score 0
};

struct R4cEvaluation {
  std::vector<R4cQuestion> questions;  // in the gold file's order
  R4cMeans means{};                    // over the questions, as fractions
  // [n - 1]: the means with n references for each question, averaged over all choices of n (Table
  // 2); n goes up to the smallest number of references of a question, at most ten.
  std::vector<R4cMeans> by_references;
  int64_t missing = 0, extra = 0;  // questions without a prediction; predictions without a question
  std::optional<HotpotMeans> hotpotqa;
  std::string signature;
};

// `hotpotqa`, if given, must contain the questions of `gold`; what a prediction names must occur in
// their articles. Throws InputError naming the question, and the step or fact.
R4cEvaluation evaluate_r4c(std::span<const data::DerivationQuestion> gold,
                           const data::R4cPredictions& predictions,
                           const std::vector<data::HotpotQuestion>* hotpotqa,
                           const R4cOptions& options);

// The results of the R4C suite as tables, JSON, notes, and alignments in text and as plots.

// Percentages: the row of Table 3, named `name`; the rows of Table 2, by the number of references;
// and HotpotQA's scores if present.
std::vector<Table> r4c_tables(const R4cEvaluation& evaluation, const std::string& name);

// A value a row: references ("": as requested), scorer ("hotpotqa": HotpotQA's; "": counts),
// figure, value (a fraction).
Table r4c_value_table(const R4cEvaluation& evaluation);

// The official script's {"e", "r", "er": {"prec", "recall", "f1"}} as fractions, with "n",
// "missing", "extra", "by_references": {N: the same three}, "hotpotqa": the keys of HotpotQA's
// script, "notes", "signature".
Json to_json(const R4cEvaluation& evaluation);

// One question: {"id", "scores": {"e", "r", "er": {"prec", "recall", "f1", "reference": its number
// in the gold file, "reference_steps", "aligned": [{"candidate", "reference", "similarity"}, …]}},
// "candidate", "hotpotqa": the keys of HotpotQA's script}. References and steps are numbered from
// 0; derivations are as in R4C's files.
Json to_json(const R4cQuestion& question);

// Notes on missing and extra predictions and missing answers.
std::vector<std::string> r4c_notes(const R4cEvaluation& evaluation);

// "[head] relation [tail]".
std::string step_text(const data::DerivationStep& step);

// "ID, er (Full), reference 1 of 3: P/R/F 50.00/40.00/44.44".
std::string alignment_title(const R4cQuestion& question, size_t scorer);

// Figure 2 as text, a table for each scorer: the aligned steps side by side with their similarity,
// then unaligned steps.
std::vector<Table> alignment_tables(const R4cQuestion& question);

// The same as one table: scorer, reference (from 1), the derivation's step, similarity, the
// reference's step; "" for an unaligned step.
Table alignment_value_table(const R4cQuestion& question);

// Plots.

// One alignment like Figure 2 (Inoue et al. 2020), by scorer number `scorer` of kStepScorers: the
// derivation's steps in boxes on the left, those of the best reference on the right, and a line
// with the similarity between aligned steps.
Plot alignment_plot(const R4cQuestion& question, size_t scorer);

// All of it, from files.

struct R4cRequest {
  std::string gold, predictions;
  std::string hotpotqa;  // the questions in HotpotQA's form; "": not read
  std::string explain;   // the id of a question, which alone is printed; "": all
  R4cOptions options;
};

// With the signature. Throws InputError as evaluate_r4c() does.
R4cEvaluation evaluate_r4c_files(const R4cRequest& request);

// Throws InputError when `explain` names no question that was judged.
SuiteOutput r4c_output(const R4cEvaluation& evaluation, const R4cRequest& request);

}  // namespace rubric::eval
