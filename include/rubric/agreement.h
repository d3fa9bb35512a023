// Which of several metrics agrees best with human labels, on any scored rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/estimate.h"
#include "rubric/export.h"
#include "rubric/judge_choice.h"
#include "rubric/missing.h"
#include "rubric/output.h"
#include "rubric/statistics.h"

namespace rubric {

// `automatic`: permutation if rows share questions, else Williams', which takes rows as
// independent.
enum class AgreementTest { automatic, williams, permutation };

// The test of two metrics on the same records.
struct MetricTest {
  std::string group;  // the row of the table; "" for all records
  size_t first = 0, second = 0;
  double difference = 0;                         // the first's value minus the second's
  double statistic = 0, p = 1, corrected_p = 1;  // the last by Holm over the table
  // p, and the corrected p, are upper bounds: the least that as many drawn permutations can give.
  bool is_least = false, is_corrected_least = false;
};

// Agreement of the means over each system's rows.
struct SystemAgreement {
  Correlations correlations;  // for three systems or more; two always give 1 or -1
  std::optional<double>
      pairwise_accuracy;  // Kocmi et al. 2021: the share of the system pairs with different human
                          // means that the metric orders as humans do; a metric's tie is wrong.
                          // Nothing without such a pair
};

struct SystemInterval {
  std::optional<Interval> pearson, spearman, kendall, pairwise_accuracy;
};

struct SystemLevel {
  std::vector<std::string> systems;        // in order of first appearance
  std::vector<int64_t> n;                  // number of rows of each
  std::vector<double> human;               // means, by system
  std::vector<std::vector<double>> means;  // [metric][system]
  std::vector<SystemAgreement> values;     // by metric
  std::vector<SystemInterval> intervals;   // resampling questions, ignoring resamples in which a
                                           // system has no row
};

// The share of the pairs of rows that the metric orders as the labels do, or ties where the labels
// are equal (Deutsch, Foster and Freitag 2023: acc_eq with tie calibration). The metric ties rows
// whose scores differ by at most epsilon, which is chosen for the highest share.
struct PairAgreement {
  std::optional<double> accuracy;    // nothing without a pair
  std::optional<Interval> interval;  // with the same epsilon
  double epsilon = 0;
};

// How well rows are called positive by a score of at least a threshold. Where there are dev rows,
// it is the one that is best on them. Else each half of the questions is measured with the
// threshold that is best on the other half; the value is over both.
struct ThresholdAgreement {
  // Nothing where a half lacks one of the two labels. With dev rows nothing only for F1 without a
  // positive row, which is 0 whatever a metric calls.
  std::optional<double> value;
  std::optional<Interval> interval;  // with the same thresholds
  // Best on the dev rows; without them best on all rows, which is the one to use, and on each half.
  // Infinity: no row is positive.
  double threshold = 0;
  std::optional<std::array<double, 2>> half_thresholds;
  // The significant digits with which each of them, rounded, still calls the same rows positive.
  int digits = 4;
  std::array<int, 2> half_digits = {4, 4};
};

// Agreement with labels of two values, of which the greater is positive.
struct BinaryAgreement {
  std::optional<double> roc_auc;  // equal scores count half; nothing without both labels
  std::optional<Interval> roc_auc_interval;
  ThresholdAgreement accuracy, f1;
  // Expected calibration error over ten bins of equal numbers of rows, of the probabilities that a
  // logistic curve gives (Platt 1999). It is fitted on the dev rows or, without them, on the other
  // half; then there is nothing where a half lacks a label.
  std::optional<double> calibration_error;
};

struct MetricAgreement {
  Correlations correlations;
  std::optional<Interval> pearson, spearman, kendall;  // resampling questions; nothing for one
  PairAgreement pairs;
  // If there are two labels and, unless there are dev rows, the group has both.
  std::optional<BinaryAgreement> binary;
  std::vector<std::optional<double>> resampled;  // Pearson's r in each resample
};

// The pairs of rows behind PairAgreement: those within each question, where most rows share theirs
// with another (values are then means over questions), else all.
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

// All rows, or one group.
struct GroupAgreement {
  std::string name;              // "": all rows
  int64_t n = 0, questions = 0;  // rows; questions are fewer when several rows answer one
  bool is_human_constant = false;
  int64_t positives = 0;   // rows with the positive label
  bool has_halves = true;  // whether each half of the questions has both labels, if halves are used
  RowPairs pairs;
  std::vector<MetricAgreement> metrics;
};

struct AgreementOptions {
  BootstrapOptions bootstrap;
  // In a result the test that was used. A permutation test of 20 questions or fewer uses all
  // permutations. Of more questions it draws as many as resamples or, unless these are fewer than
  // by default, 1,000 for each test of the table if that is more, up to 200,000.
  AgreementTest test = AgreementTest::automatic;
};

// The name of the group of the rows whose questions no metric's model was trained or tuned on.
inline constexpr const char* kUnseen = "unseen questions";

struct Agreement {
  std::vector<std::string> metrics;  // names; everything by metric is in this order
  // All rows first; then kUnseen, if some rows but not all have questions that models have seen;
  // then groups in order of appearance.
  std::vector<GroupAgreement> groups;
  std::vector<SeenCounts> seen;  // by metric; empty: no model has seen any
  // For all pairs of metrics. Holm-corrected over all rows and all groups that are a part of them,
  // kUnseen apart; a group that has all rows has their tests.
  std::vector<MetricTest> tests;
  std::optional<SystemLevel> systems;  // if rows name a system
  std::optional<BinaryLabels> labels;  // with dev rows those of dev
  std::optional<DevRows> dev;
  bool has_questions = false;  // whether any row says which question it answers
  int64_t unlabelled = 0;      // rows without a label, left out by AgreementRequest::missing
  AgreementOptions options;
  int64_t permutations = 0;  // that each permutation test of more than 20 questions draws
  std::string signature;
  std::vector<std::string> notes;  // on a ledger's replies
};

struct AgreementRequest {
  std::filesystem::path input;  // rows with scores, as score_file() writes them, or a table
  // Other labelled rows with scores of the same metrics, on which the threshold of accuracy, that
  // of F1 and the logistic curve are chosen. "": the halves of the input choose for each other.
  std::filesystem::path dev;
  std::string input_format;                        // of both; "": by the file's name
  std::map<std::string, std::string> fields = {};  // the file's names of an answer's, by ours
  char delimiter = '\0';                 // between the columns of a table; '\0': the format's
  std::string human = "score";           // the field of the human label
  std::string group, system;             // fields to report by; "": none
  std::vector<std::string> metrics;      // empty: all
  Missing missing = Missing::automatic;  // rows without a label or a score: an error, or drop
  AgreementOptions options;
  // A judge's ledger, whose verdicts on the rows are metrics, too: JUDGE:C, JUDGE:H, JUDGE:I,
  // JUDGE:E. "": none.
  std::filesystem::path ledger = {};
  JudgeChoice judge = {};
  std::filesystem::path report;  // also written: tables and pictures as one HTML page; "": none
  std::string command;           // that the page shows; "": none
};

// Reads the rows and compares the metrics. Throws InputError naming file, row and field, and for
// dev rows that are those of the input or do not have exactly two labels, or lack one of the
// input's; Interrupted when the context's token is cancelled.
RUBRIC_PUBLIC Agreement evaluate_agreement(const AgreementRequest& request,
                                           const Context& context = {});

// Tables, or JSON with all values; CSV is one table with a value a row. `resampled`: JSON with
// Pearson's r of each resample. Ends with a newline.
RUBRIC_PUBLIC std::string print(const Agreement& agreement, OutputFormat format,
                                bool resampled = false);

}  // namespace rubric
