// `evaluate agreement`: metrics against human labels on any rows. Correlations over rows and by
// group, values for labels of two values, tests between metrics, system-level agreement (how well
// metrics rank systems as humans do), and the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "rubric/agreement.h"
#include "rubric/result.h"
#include "rubric/statistics.h"
#include "stats/binary.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/significance.h"

namespace rubric {
class Progress;
}

namespace rubric::eval {

using rubric::AgreementOptions;
using rubric::AgreementTest;

// The test of two metrics on the same records.
struct MetricTest {
  double difference = 0;  // the first's value minus the second's
  double statistic = 0, p = 1;
  bool is_least = false;  // p is an upper bound, the least that as many permutations can give
};

// Of every two metrics, in the order (0, 1), (0, 2), …, (1, 2), …; nothing where the test is
// undefined.
using MetricTests = std::vector<std::optional<MetricTest>>;

// How well rows are predicted positive by a score of at least a threshold. Where there are dev
// rows, it is the one that is best on them. Else each half of the questions is measured with the
// threshold that is best on the other half; the value is over both.
struct ThresholdAgreement {
  // Nothing where a half lacks one of the two labels. With dev rows nothing only for F1 without a
  // positive row, which is 0 whatever a metric calls.
  std::optional<double> value;
  // Best on the dev rows; without them best on all rows, which is the one to use, and on each half.
  // Infinity: no row is positive.
  double threshold = 0;
  std::optional<std::array<double, 2>> half_thresholds;
  // The significant digits with which each of them, rounded, still predicts the same rows positive.
  int digits = 4;
  std::array<int, 2> half_digits = {4, 4};
};

// Agreement with labels of two values, of which the greater is positive.
struct BinaryAgreement {
  std::optional<double> roc_auc;  // equal scores count half; nothing without both labels
  ThresholdAgreement accuracy, f1;
  // Expected calibration error over ten bins of equal numbers of rows, of the probabilities that a
  // logistic curve gives (Platt 1999). It is fitted on the dev rows or, without them, on the other
  // half; then there is nothing where a half lacks a label.
  std::optional<double> calibration_error;
};

// What is measured of a metric and resampled, by questions.
enum RowStatistic : size_t {
  kPearson,
  kSpearman,
  kKendall,
  kPairwise,
  kRocAuc,
  kBinaryAccuracy,
  kBinaryF1
};
inline constexpr std::array<const char*, 7> kRowStatistics = {
    "pearson", "spearman", "kendall", "pairwise_accuracy", "roc_auc", "accuracy", "f1"};

struct MetricAgreement {
  // Correlations are of three rows or more; two always give 1 or -1. Pairwise accuracy is the share
  // of the pairs of rows that the metric orders as the labels do, or ties where the labels are
  // equal (Deutsch, Foster and Freitag 2023: acc_eq with tie calibration); it is of pairs that have
  // different labels, else any metric would have 1. Intervals are with the same epsilon and
  // thresholds; there are none for one question.
  std::array<std::optional<double>, kRowStatistics.size()> values;
  std::array<std::optional<Interval>, kRowStatistics.size()> intervals;
  // The metric ties rows whose scores differ by at most epsilon, which is chosen for the highest
  // share.
  double epsilon = 0;
  // If there are two labels and, unless there are dev rows, the group has both.
  std::optional<BinaryAgreement> binary;
  stats::Statistics resampled;  // Pearson's r in each resample
};

// The pairs of rows behind pairwise accuracy: those within each question, where most rows share
// theirs with another (values are then means over questions), else all.
struct RowPairs {
  int64_t n = 0;
  bool is_within_questions = false;
  std::optional<double> tied;  // the share with equal labels: the accuracy of tying all pairs
};

// Labels, if they have two values.
struct BinaryLabels {
  double negative = 0, positive = 1;
};

// The rows of AgreementRequest::dev, on which thresholds and logistic curves were chosen.
struct DevRows {
  int64_t n = 0, positives = 0;
  int64_t unlabelled = 0;  // rows without a label, which are left out
  int64_t shared = 0;      // rows of the input with a question that dev rows have too
};

// How many rows have a question that a metric's model was trained on, and how many others one that
// it was tuned on, as score notes it in "seen".
struct SeenCounts {
  int64_t trained = 0, tuned = 0;
};

// By metric; empty where no model has seen any.
std::vector<SeenCounts> seen_counts(const data::ScoredRows& rows);

// A sentence for each metric whose model has seen questions, of `rows` in all.
std::vector<std::string> seen_notes(std::span<const std::string> metrics,
                                    std::span<const SeenCounts> seen, int64_t rows);

// All rows, the unseen questions, or one group.
struct GroupAgreement {
  std::string name;  // "": all rows, or the unseen questions
  bool is_unseen = false;
  int64_t n = 0, questions = 0;  // rows; questions are fewer when several rows answer one
  bool is_human_constant = false;
  int64_t positives = 0;   // rows with the positive label
  bool has_halves = true;  // whether each half of the questions has both labels, if halves are used
  RowPairs pairs;
  std::vector<MetricAgreement> metrics;
  MetricTests tests;
};

// The subset of the rows whose questions no metric's model was trained or tuned on.
inline constexpr const char* kUnseen = "unseen questions";

struct Agreement {
  std::vector<std::string> metrics;  // names; everything by metric is in this order
  // All rows first; then the unseen questions, if some rows but not all are such; then groups in
  // order of appearance.
  std::vector<GroupAgreement> groups;
  std::vector<SeenCounts> seen;         // seen_counts()
  std::vector<std::string> systems;     // in order of first appearance; empty: rows name none
  std::vector<Measurement> of_systems;  // measure_systems()
  std::optional<BinaryLabels> labels;   // with dev rows those of dev
  std::optional<DevRows> dev;
  bool has_questions = false;      // whether any row says which question it answers
  int64_t unlabelled = 0;          // rows without a label, left out by AgreementRequest::missing
  AgreementOptions options;        // with the test that was used
  int64_t permutations = 0;        // that each permutation test of more than 20 questions draws
  std::vector<std::string> notes;  // on labels, and on a ledger's replies
};

// What is best for a metric on the dev rows. Thresholds have no values yet.
struct DevChoice {
  ThresholdAgreement accuracy, f1;
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

// By row, whether it is predicted positive by the threshold that measures it.
std::vector<bool> predicted_positive(std::span<const double> scores, const BinaryRows& rows,
                                     const ThresholdAgreement& thresholds);

// Significance tests between all pairs of metrics of a table.

// The test that `automatic` stands for: the permutation test where rows share questions, else
// Williams'.
AgreementTest automatic_test(const stats::Clusters& questions);

// Tests for every two metrics whether their Pearson correlations with the human labels differ,
// which is undefined for n < 4, a constant series and identical metrics. `scores` are
// [metric][record]. The permutation test permutes the two metrics' standardised scores (Deutsch et
// al. 2021), jointly for the records of a cluster; its statistic is the difference of correlations.
// Williams' test assumes independent records.
MetricTests test_correlations(std::span<const double> human,
                              std::span<const std::vector<double>> scores,
                              const stats::Clusters& clusters, AgreementTest test,
                              const stats::PermutationOptions& options);

// McNemar's exact test for every two metrics that judged the same records; `is_correct` is
// [metric][record]. The difference is that of the accuracies, the statistic the number of records
// that only the first judges correctly.
MetricTests test_accuracies(std::span<const std::vector<bool>> is_correct);

// The note on labels that fall as scores rise, by these metrics: labels the wrong way round, such
// as 1 for the best.
std::string reversed_note(std::span<const std::string> metrics);

// What add_holm() did: "p: Holm-corrected over all 3 tests between two metrics". `of_unseen`: tests
// of the unseen questions.
std::string correction_note(size_t tests, size_t of_unseen = 0);

// Systems.

inline constexpr std::array<const char*, 4> kSystemStatistics = {
    "system_pearson", "system_spearman", "system_kendall", "system_pairwise_accuracy"};

// The kSystemStatistics of systems' means. Correlations are of three systems or more; two always
// give 1 or -1. Pairwise accuracy (Kocmi et al. 2021) is the share of the system pairs with
// different human means that the metric orders as humans do; a metric's tie is wrong. Means that
// differ by rounding alone, 10⁻¹³ of the largest, are equal.
stats::Statistics system_agreement(std::span<const double> human_means,
                                   std::span<const double> metric_means);

// Measurements for rows that name their systems: of each metric, in this order, the
// kSystemStatistics of two systems or more, resampling questions and ignoring resamples in which a
// system has no row; of each system the "mean_label" and each metric's "mean".
std::vector<Measurement> measure_systems(const data::ScoredRows& rows,
                                         const stats::Clusters& questions,
                                         std::span<const size_t> metrics,
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

// The result.

// As evaluate_agreement() of include/rubric/agreement.h returns it, without signature and inputs,
// with metrics in the order of their agreement. The points of its plots name their rows: Pearson's
// r with its intervals, by group if there are any; then a calibration plot of each metric, best
// first: rows as circles (whose area is their number), with the mean label and its 95% interval in
// each tenth of the rows by score. `resampled`: Pearson's r with its resamples.
Result agreement_result(const Agreement& agreement, std::shared_ptr<const data::ScoredRows> rows,
                        bool resampled);

// Adds the calibration plots, and the rows behind points: id, texts, human label and scores.
void add_agreement_plots(const Agreement& agreement, std::shared_ptr<const data::ScoredRows> rows,
                         Result& result);

// One sentence each on: what models have seen; the best metric and which others the tests do not
// distinguish from it; what is resampled, and which rows are taken as independent; the pairs behind
// pairwise accuracy; rows without a label; undefined correlations and why; halves of the questions
// without one of two labels; groups too small for a test; too few systems for correlations; means
// of metrics that have a corpus score. `measurements` have the tests.
std::vector<std::string> agreement_notes(const Agreement& agreement,
                                         std::span<const Measurement> measurements);

// What the values for two labels are; empty where labels have more or fewer values.
std::vector<std::string> binary_notes(const Agreement& agreement);

// "williams" or "permutation": the test that was used.
const char* method_of(const Agreement& agreement);

// "all rows", "unseen questions", or the group's name.
std::string name_of(const GroupAgreement& group);

// Why a metric of the group has no correlation: "all human labels are the same"; and no pairwise
// accuracy.
std::string why_undefined(const GroupAgreement& group);
std::string why_no_pairs(const GroupAgreement& group);

// "2 rows without a human label left out".
std::string unlabelled_note(int64_t rows);

// Says that the means of some of the named metrics are not what `score` gives over a file, because
// that is a corpus score (BLEU, chrF); "" without such a metric.
std::string row_means_note(std::span<const std::string> names);

// The least and the greatest of a system's scores of one metric.
struct ScoreRange {
  double least = 0, most = 0;
};

// Warns of systems whose scores of the metric lie on two scales: those of one in [0, 1], and those
// of another far above, as shares and percentages do.
void warn_of_scales(const std::string& metric, std::span<const std::string> systems,
                    std::span<const ScoreRange> ranges);

// The same for each metric of rows, by the systems that were read, else by data::likely_system().
// Rows that are marked are passed over, as those in `is_left_out` (empty: none).
void warn_of_scales(const data::ScoredRows& rows, const std::vector<bool>& is_left_out = {});

}  // namespace rubric::eval
