// `estimate`: means of human labels that some answers have, with the help of scores that all have.
// Joining the labels to the rows, the estimates, and the output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "eval/resampling.h"
#include "judge/ledger/ledger.h"
#include "rubric/estimate.h"
#include "rubric/result.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using rubric::EstimateRequest;

inline constexpr int64_t kFewestLabels = 10;                // of a system, for any estimate
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

// Of what labelling all these answers would give: the answers are fixed, the draw of labels is
// random.
struct Estimate {
  double value = 0;
  double standard_error = 0;  // over questions; 0 if all answers have labels
  Interval interval;          // 95%, by Student's t over the labelled questions
  double freedom = 0;         // its degrees of freedom, few where some errors are much larger
  // 95%, by resampling labelled questions; not of correlations. Narrower than the other where
  // labels are few.
  std::optional<Interval> bootstrap = {};
  // Of estimates from labels with a metric. The weight of the metric, as in PPI++, in the label's
  // units for one of the metric's.
  std::optional<double> lambda = {};
  // So many labels alone would give as narrow an interval. Nothing if their error is 0.
  std::optional<double> effective_labels = {};
  // Of differences: two-sided p of none, by Student's t. Nothing where the difference is exact, as
  // all of its answers have a label.
  std::optional<double> p = {};
};

struct SystemEstimates {
  // Why there is no estimate, or "": "only 3 labels", labels that are all equal, or those of a
  // stratum are fewer than two or of one question.
  std::string lacking;
  int64_t n = 0, questions = 0;                // answers
  int64_t labels = 0, labelled_questions = 0;  // answers with a label, and questions with one
  std::optional<Estimate> labels_alone;
  // By metric: the mean of its scores of all answers, on its own scale. It has no error of
  // sampling, but as an estimate of the labels' mean it is biased. Nothing without answers.
  std::vector<std::optional<double>> metric_alone;
  std::vector<std::optional<Estimate>> with;  // labels with each of Estimates::predictors
};

struct EstimatedDifference {
  size_t first = 0, second = 0;               // systems; values are of the first minus the second
  std::optional<Estimate> labels_alone;       // errors that both share by question cancel
  std::vector<std::optional<Estimate>> with;  // as in SystemEstimates, with one lambda for both
  bool is_exact = false;                      // all answers of both have a label: there is no p
};

// Pearson's correlation of a metric with the label, with intervals by Fisher's z. nullopt where it
// is undefined, or 1 or -1.
struct EstimatedCorrelation {
  std::optional<Estimate> labels_alone;  // over the answers with a label
  std::optional<Estimate> corrected;     // by what the metric's scores of all answers tell
};

struct GroupEstimates {
  std::string name;                                // "": all answers
  std::vector<SystemEstimates> systems;            // by system
  std::vector<EstimatedDifference> differences;    // of every two systems
  std::vector<EstimatedCorrelation> correlations;  // by metric, over the answers of all systems
  std::string lacking;         // why there is no correlation of any metric, or ""
  bool lacks_systems = false;  // correlations are of the systems with an estimate alone
};

struct Estimates {
  std::string human;                    // the field of the labels
  std::vector<std::string> metrics;     // everything by metric is in this order
  std::vector<std::string> predictors;  // the metrics and, of several, their "combination"
  std::vector<std::string> systems;     // one without name, if no field names them
  std::vector<GroupEstimates> groups;   // all answers, then by group if there are any
  std::vector<std::string> notes;       // on labels and metrics
  std::vector<std::string> warnings;    // of few labels, and of systems without an estimate
  bool is_draw = true;                  // false: the labels are no random draw, with a warning
};

// Throws InputError for a system with fewer than kFewestLabels labels, with labels that are all
// equal, or with labels of fewer than two questions in a stratum, and for a metric that is called
// kCombination. Warns of a system whose labels count for fewer than kFewQuestions questions.
Estimates estimate(const LabelledAnswers& answers, const std::string& human,
                   const stats::BootstrapOptions& options);

// What may be concluded by the combination, or the only metric: which system has the highest mean,
// and to which the difference is significant after Holm's correction; and how many labels the
// metric is worth. The measurements have the p.
std::string best_sentence(const Estimates& result, std::span<const Measurement> measurements);
std::string worth_sentence(const Estimates& result);

// The measurements of include/rubric/estimate.h; the sentences are the first notes; for each metric
// a picture of what labels alone, the metric alone and both say of each system.
Result estimate_result(const Estimates& estimates);

}  // namespace rubric::eval
