// The evaluation of metrics against human labels on any rows: correlations over rows and by group,
// values for labels of two values, tests between metrics, system-level agreement (how well metrics
// rank systems as humans do), and the output.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/scored_files/scored_files.h"
#include "eval/report/plots.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "rubric/agreement.h"
#include "stats/binary.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/significance.h"

namespace rubric {
class Progress;
}

namespace rubric::eval {

using rubric::BinaryAgreement;
using rubric::BinaryLabels;

// What is best for a metric on the dev rows. Thresholds have no values yet.
struct DevChoice {
  rubric::ThresholdAgreement accuracy, f1;
  stats::LogisticCurve curve;
};

DevChoice choose_on_dev(std::span<const double> scores, const std::vector<bool>& is_positive);

// Rows with their label, and what measures them.
struct BinaryRows {
  std::vector<bool> is_positive;
  std::vector<bool> is_in_second;       // the half of each; empty with dev rows
  std::span<const DevChoice> dev = {};  // by metric; empty: the halves choose for each other
};

std::vector<bool> are_positive(std::span<const double> human, const BinaryLabels& labels);

// nullopt unless there are exactly two values.
std::optional<BinaryLabels> binary_labels(std::span<const double> human);

// Puts the questions in the order of `hashes`, by row, and the later half of them into the second
// half.
std::vector<bool> second_half(const stats::Clusters& questions, std::span<const uint64_t> hashes);

// Whether the rows have both labels, and whether each half has.
bool has_both_labels(const BinaryRows& rows);
bool has_halves(const BinaryRows& rows);

// Values of a metric without intervals. The rows must have both labels, or dev rows.
BinaryAgreement binary_agreement(std::span<const double> scores, const BinaryRows& rows,
                                 size_t metric = 0);

// By row, whether the threshold that measures it calls it positive.
std::vector<bool> called_positive(std::span<const double> scores, const BinaryRows& rows,
                                  const rubric::ThresholdAgreement& thresholds);

// Significance tests between all pairs of metrics of a table, with Holm's correction.

using rubric::AgreementTest;
using rubric::MetricTest;

// The test that `automatic` stands for: the permutation test where rows share questions, else
// Williams'.
AgreementTest automatic_test(const stats::Clusters& questions);

// Tests for every two metrics whether their Pearson correlations with the human labels differ;
// undefined tests (n < 4, a constant series, identical metrics) are left out. `scores` are
// [metric][record]. The permutation test exchanges the two metrics' standardised scores (Deutsch et
// al. 2021), jointly for the records of a cluster; its statistic is the difference of correlations.
// Williams' test assumes independent records.
std::vector<MetricTest> test_correlations(const std::string& group, std::span<const double> human,
                                          std::span<const std::vector<double>> scores,
                                          const stats::Clusters& clusters, AgreementTest test,
                                          const stats::PermutationOptions& options);

// McNemar's exact test for every two metrics that judged the same records; `right` is
// [metric][record]. The difference is that of the accuracies, the statistic the number of records
// that only the first judges right.
std::vector<MetricTest> test_accuracies(const std::string& group,
                                        std::span<const std::vector<bool>> right);

// Holm's correction over all tests of one table. Those on the rows with unseen questions, a part of
// all rows that is shown beside them, have a correction of their own.
void correct(std::span<MetricTest> tests);

// The note on labels that fall as scores rise, by these metrics: labels the wrong way round, such
// as 1 for the best.
std::string reversed_note(std::span<const std::string> metrics);

// The note on the correction to print below that table.
std::string correction_note(std::span<const MetricTest> tests);

// The test between two metrics, in either order, or nullptr.
const MetricTest* find_test(std::span<const MetricTest> tests, const std::string& group, size_t a,
                            size_t b);

// The group of which the tests on the rows of `group` are: "", all rows, where it has all of them.
const std::string& tested_group(const rubric::Agreement& agreement,
                                const rubric::GroupAgreement& group);

using rubric::Agreement;
using rubric::AgreementOptions;
using rubric::GroupAgreement;
using rubric::kUnseen;
using rubric::MetricAgreement;
using rubric::PairAgreement;
using rubric::SystemAgreement;
using rubric::SystemInterval;
using rubric::SystemLevel;
using rubric::ThresholdAgreement;

// Of the systems' means. Means that differ by rounding alone, 10⁻¹³ of the largest, are equal.
SystemAgreement system_agreement(std::span<const double> human_means,
                                 std::span<const double> metric_means);

// Intervals from the values of each resample, ignoring undefined ones.
SystemInterval system_interval(const std::vector<SystemAgreement>& resampled);

// For rows that name their systems. With one system there are means but no correlations.
SystemLevel evaluate_systems(const data::ScoredRows& rows, const stats::Clusters& questions,
                             const stats::BootstrapOptions& options);

// Rows.

// The records of an item are compared in pairs: those of a question where at least half of the
// records share theirs with another, else all records.
stats::Clusters pair_items(const stats::Clusters& questions);

// For each metric's scores, [metric][record], with intervals by resampling the clusters. `binary`:
// the labels as two values, if they are such; nullptr or, without dev rows, one label only: no
// BinaryAgreement.
// `progress` counts the resamples.
std::vector<MetricAgreement> metric_agreements(std::span<const double> human,
                                               std::span<const std::vector<double>> scores,
                                               const stats::Clusters& questions,
                                               const stats::BootstrapOptions& options,
                                               uint64_t stream, const BinaryRows* binary = nullptr,
                                               Progress* progress = nullptr);

// `dev` must have the same metrics and two labels, and all labels of `rows`.
Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options,
                             const data::ScoredRows* dev = nullptr);

// Whether no metric's model was trained or tuned on the row's question, as far as the rows say.
bool is_unseen(const data::ScoredRows& rows, size_t row);

// The metrics, best first by Pearson's r over all rows, undefined ones last.
std::vector<size_t> by_agreement(const GroupAgreement& group);

// The results of `evaluate agreement` as tables, notes, JSON and plots.

// Tables to read, with metrics in the order of their agreement: correlations and pairwise accuracy
// with intervals; for labels of two values ROC AUC, accuracy, F1 and calibration error; both again
// over the rows with unseen questions, where models have seen others; the main ones by group; the
// corrected p of every pair of metrics, over all rows and in each group; system-level correlations
// and means of systems. agreement_notes() stand below the first.
std::vector<Table> agreement_tables(const Agreement& agreement);

// One table for programs, a value a row: metric; figure ("pearson", "spearman", "kendall",
// "pairwise_accuracy", "pairwise_epsilon"; with two labels "roc_auc", "accuracy", "f1", these two
// also with "_threshold", "_threshold_first_half" and "_threshold_second_half", where inf calls no
// row positive, and "ece"; "difference" of Pearson's r between two metrics, "system_pearson" …
// "system_pairwise_accuracy", "system_mean"); group ("": all rows; for a mean the system); other
// (the second metric of a difference; "dev" for a threshold of the dev rows); value (thresholds and
// epsilon exactly); its 95% interval; p and Holm's p; n; whether the two p are upper bounds.
// Without notes.
Table agreement_value_table(const Agreement& agreement);

// Notes.

// One sentence each on: what models have seen; the best metric and which others the tests do not
// distinguish from it; what is resampled, and which rows are taken as independent; the pairs behind
// pairwise accuracy; rows without a label; undefined correlations and why; halves of the questions
// without one of two labels; groups too small for a test; too few systems for correlations; means
// of metrics that have a corpus score. Of groups only those in `groups`, which has all rows first.
std::vector<std::string> agreement_notes(const Agreement& agreement,
                                         std::span<const GroupAgreement> groups);

// "2 rows without a human label left out".
std::string unlabelled_note(int64_t rows);

// Says that the means of some of the named metrics are not what `score` gives over a file, because
// that is a corpus score (BLEU, chrF); "" without such a metric.
std::string row_means_note(std::span<const std::string> names);

// What the values for two labels are; empty where labels have more or fewer values.
std::vector<std::string> binary_notes(const Agreement& agreement);

// JSON.

// {"all": GROUP, "groups": {NAME: GROUP}, "unseen": GROUP, of the rows with unseen questions, and
// "seen": {METRIC: {"trained": rows, "tuned": rows}}, both where models have seen some, "labels":
// {"negative", "positive"}, "systems": {…}, "exchanges": how many permutations each permutation
// test draws, "signature", "notes": [TEXT]}, where GROUP is {"n", "questions", "pairs": {"n",
// "within_questions", "tied": the share with equal labels}, "positives", "metrics": {NAME:
// {"pearson": {"value", "ci95": [low, high]}, "spearman", "kendall", "pairwise_accuracy": {"value",
// "ci95", "epsilon"}, "roc_auc": {"value", "ci95"}, "accuracy": {"value", "ci95", "threshold",
// "half_thresholds": [first, second]}, "f1": likewise, "ece": {"value"}}}, "tests": [{"first",
// "second", "difference", "statistic", "p", "p_holm", "p_is_least", "p_holm_is_least": whether the
// two p are upper bounds}]}; "labels", "positives" and what follows "pairwise_accuracy" are there
// for labels of two values, where a null threshold beside a value calls no row positive;
// "exchanges" is there for permutation tests. "systems" is {"metrics": {NAME: {"pearson": {"value",
// "ci95"}, …, "pairwise_accuracy"}}, "systems": {NAME: {"n", "human", "means": {METRIC: x}}}}.
// Every pair of metrics has a test, in order. Undefined values are null; groups and systems are
// absent when rows do not name them. With `resampled` Pearson's r also has "resampled": {"value":
// [r of each resample]}.
Json to_json(const Agreement& agreement, bool resampled = false);

// Plots.

// Pearson's r with its intervals, by group if there are any; then a calibration plot of each
// metric, best first: rows as circles (whose area is their number), with the mean label and its 95%
// interval in each tenth of the rows by score. Points name their rows.
std::vector<Plot> agreement_plots(const Agreement& agreement, const data::ScoredRows& rows);

// The rows as a report shows them: id, texts, human label and scores. `rows` must outlive it.
ReportRows agreement_rows(const data::ScoredRows& rows);

}  // namespace rubric::eval
