// The evaluation of metrics against human labels on any rows: correlations over rows and by group,
// tests between metrics, and system-level agreement (how well metrics rank systems as humans do).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "eval/agreement/metric_tests.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric::eval {

// Agreement of the means over each system's rows.
struct SystemAgreement {
  stats::Correlations correlations;  // for three systems or more; two always give 1 or -1
  std::optional<double>
      pairwise_accuracy;  // Kocmi et al. 2021: the share of the system pairs with different human
                          // means that the metric orders as humans do; a metric's tie is wrong.
                          // Nothing without such a pair
};

struct SystemInterval {
  std::optional<stats::Interval> pearson, spearman, kendall, pairwise_accuracy;
};

struct SystemLevel {
  std::vector<std::string> systems;        // in order of first appearance
  std::vector<int64_t> n;                  // number of rows of each
  std::vector<double> human;               // means, by system
  std::vector<std::vector<double>> means;  // [metric][system]
  std::vector<SystemAgreement> figures;    // by metric
  std::vector<SystemInterval> intervals;  // resampling questions (questions_of), ignoring resamples
                                          // in which a system has no row
};

SystemAgreement system_agreement(std::span<const double> human, std::span<const double> metric);

// Intervals from the values of each resample, ignoring undefined ones.
SystemInterval system_interval(const std::vector<SystemAgreement>& resampled);

// For rows that name their systems. With one system there are means but no correlations.
SystemLevel evaluate_systems(const data::ScoredRows& rows, const stats::BootstrapOptions& options);

// Rows.

struct MetricAgreement {
  stats::Correlations correlations;
  std::optional<stats::Interval> pearson, spearman, kendall;  // resampling questions
  std::vector<std::optional<double>> resampled;               // Pearson's r in each resample
};

// All rows, or one group.
struct GroupAgreement {
  std::string name;              // "": all rows
  int64_t n = 0, questions = 0;  // rows; questions are fewer when several rows answer one
  bool is_human_constant = false;
  std::vector<MetricAgreement> metrics;
};

struct AgreementOptions {
  stats::BootstrapOptions bootstrap;
  // A permutation test makes as many exchanges as resamples.
  AgreementTest test = AgreementTest::williams;
};

struct Agreement {
  std::vector<std::string> metrics;    // names; everything by metric is in this order
  std::vector<GroupAgreement> groups;  // all rows first, then groups in order of appearance
  std::vector<MetricTest> tests;       // for all pairs of metrics, Holm-corrected over all groups
  std::optional<SystemLevel> systems;  // if rows name a system
  bool has_questions = false;          // whether any row says which question it answers
  int64_t unlabelled = 0;              // rows without a label, which are left out
  AgreementOptions options;
  std::string signature;
};

// For one metric's scores, with intervals by resampling the clusters.
MetricAgreement metric_agreement(std::span<const double> human, std::span<const double> scores,
                                 const stats::Clusters& questions,
                                 const stats::BootstrapOptions& options, uint64_t stream);

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options);

// The metrics, best first by Pearson's r over all rows, undefined ones last.
std::vector<size_t> by_agreement(const GroupAgreement& group);

}  // namespace rubric::eval
