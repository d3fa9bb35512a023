// `estimate`: means of human labels that some answers have, with the help of scores that all have.
// Joining the labels to the rows, the estimates, and the output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "judge/ledger/ledger.h"
#include "rubric/estimate.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using rubric::Estimate;
using rubric::EstimatedCorrelation;
using rubric::EstimatedDifference;
using rubric::EstimateRequest;
using rubric::EstimateResult;
using rubric::GroupEstimates;
using rubric::SystemEstimates;

inline constexpr int64_t kFewestLabels = 10;  // of a system, for any estimate
inline constexpr int64_t kFewQuestions = 30;  // with a label: below, intervals are less reliable
inline constexpr const char* kCombination = "combination";  // the predictor of several metrics

// All answers, and the labels that some of them have.
struct LabelledAnswers {
  std::vector<std::string> metrics;
  std::vector<std::vector<double>> scores;  // [metric][row]
  std::vector<std::string> system_names;    // in order of first appearance; one, "", if none
  std::vector<uint32_t> systems;            // by row
  std::vector<std::string> groups;          // by row; empty: none
  std::vector<uint32_t> strata;  // by row; with probabilities of labelled rows alone; empty: none
  std::vector<std::string> stratum_names;
  std::vector<double> drawn;  // with probabilities and strata: the labelled questions, by stratum
  stats::Clusters questions;  // of rows
  std::vector<uint32_t> labelled;     // the rows with a label, in ascending order
  std::vector<double> labels;         // of these
  std::vector<double> probabilities;  // of these; empty: not known
  std::optional<Interval> scale;      // of labels, if the user gives it
  bool is_sheet = false;              // labels have the columns of a sheet of `choose`
  int64_t left_out = 0;               // labels that leave_out() has taken
  std::vector<std::string> notes;
};

// Throws InputError for labels that belong to no row or to several, are repeated without
// request.average, or are outside request.scale, and for probabilities that are none or do not fit
// the number of rows. The labels are in `rows` if there is no `labels`.
LabelledAnswers join_labels(const EstimateRequest& request, data::ScoredRows rows,
                            const data::ScoredSource* labels);

// The last attempts in a ledger as rows, and which of them hold no verdicts.
struct JudgedSource {
  data::ScoredSource source;
  std::vector<bool> is_unread;  // by row; its score is no verdict: leave_out() the row
};

// The judge's verdict on an `aspect`, "C", "H", "I" or "E", is the only score, 1 where the judge
// agrees, under the judge's name. A note counts replies without verdicts. Throws InputError for
// another aspect, and as judge::last_verdicts() does.
JudgedSource judged_source(const judge::Ledger& ledger, const std::string& aspect,
                           const std::filesystem::path& file, std::vector<std::string>& notes);

// Leaves out rows, by row, and their labels. Strata keep how many questions were drawn of them.
void leave_out(const std::vector<bool>& is_left_out, LabelledAnswers& answers);

// Adds the last verdicts in the ledger of `file` to the scores of the rows that have a label in the
// field `human`: JUDGE:C, JUDGE:H, JUDGE:I and JUDGE:E, 1 where the judge agrees. Replies are found
// by the row's id and system, which is its field `system` or, for "", "source" or "system". A reply
// without verdicts adds no scores, and a note says so. Throws InputError for a labelled row without
// a reply or with such a score, a reply about another candidate, and rows without a system where
// the ledger has several.
void add_verdicts(const judge::Ledger& ledger, const std::filesystem::path& file,
                  const std::string& human, const std::string& system, data::ScoredSource& source,
                  std::vector<std::string>& notes);

// Throws InputError for a system with fewer than kFewestLabels labels, with labels that are all
// equal, or with labels of fewer than two questions in a stratum, and for a metric that is called
// kCombination. Warns of a system whose labels count for fewer than kFewQuestions questions.
EstimateResult estimate(const LabelledAnswers& answers, const std::string& human,
                        const stats::BootstrapOptions& options);

// The notes on all, then those on these groups.
std::vector<std::string> estimate_notes(const EstimateResult& result,
                                        std::span<const GroupEstimates> groups);

// Which predictor the sentences are about: the combination, or the only metric.
size_t chosen_predictor(const EstimateResult& result);

// What may be concluded: which system has the highest mean by the chosen predictor, and to which
// the difference is significant after Holm's correction; and how many labels the metric is worth.
std::string best_sentence(const EstimateResult& result);
std::string worth_sentence(const EstimateResult& result);

std::string pair_name(const EstimateResult& result, const EstimatedDifference& pair);  // "a – b"

// Tables to read: means, differences and correlations, over all answers and by group. The sentences
// stand below the first.
std::vector<Table> estimate_tables(const EstimateResult& result);

// A value a row: figure ("mean", "difference", "correlation"); group ("": all answers); system;
// other (the second system of a difference); source ("labels", "metric", "both"); metric; value;
// its 95% interval; bootstrap_low and bootstrap_high; standard_error; lambda; effective_labels;
// p_holm of a difference; n and labels of a mean.
Table estimate_value_table(const EstimateResult& result);

// {"human", RESULTS, "groups": {NAME: {RESULTS}}, "signature", "notes"}, where RESULTS are
// "systems": [{"system", "n", "questions", "labels", "labelled_questions", "labels_alone": VALUE,
// "metric_alone": {METRIC: NUMBER}, "with": {PREDICTOR: VALUE}}], "differences": [{"first",
// "second", "labels_alone", "with"}] and "correlations": {METRIC: {"labels_alone", "corrected"}}.
// VALUE is {"value", "standard_error", "ci95", "ci95_bootstrap"}, of differences "p_holm" and, of
// "with", "lambda" and "effective_labels"; null where it is undefined. "system", "differences",
// "groups", "signature" and "notes" are there where there are any.
Json to_json(const EstimateResult& result);

// The sentences; the tables; for each metric a picture of what labels alone, the metric alone and
// both say of each system.
Report estimate_report(const EstimateResult& result);

}  // namespace rubric::eval
