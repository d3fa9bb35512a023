// How well metrics order systems as humans do.
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

// Of the means over each system's rows.
struct SystemAgreement {
  stats::Correlations correlations;         // of three systems or more; two always give 1 or -1
  std::optional<double> pairwise_accuracy;  // Kocmi et al. 2021: the share of the system pairs that
                                            // humans tell apart which the metric orders as they do;
                                            // a metric's tie is wrong. Nothing without such a pair
};

struct SystemInterval {
  std::optional<stats::Interval> pearson, spearman, kendall, pairwise_accuracy;
};

struct SystemLevel {
  std::vector<std::string> systems;        // in the order of their first row
  std::vector<int64_t> n;                  // rows of each
  std::vector<double> human;               // means, by system
  std::vector<std::vector<double>> means;  // [metric][system]
  std::vector<SystemAgreement> figures;    // by metric
  std::vector<SystemInterval> intervals;   // questions resampled (questions_of); without resamples
                                           // in which a system has no row
};

SystemAgreement system_agreement(std::span<const double> human, std::span<const double> metric);

// Of the figures of each resample, without those that are undefined.
SystemInterval system_interval(const std::vector<SystemAgreement>& resampled);

// Of rows that name their systems. With one system there are means and no figures.
SystemLevel evaluate_systems(const data::ScoredRows& rows, const stats::BootstrapOptions& options);

// Which of several metrics agrees best with human labels, on anyone's rows.

struct MetricAgreement {
  stats::Correlations correlations;
  std::optional<stats::Interval> pearson, spearman, kendall;  // questions resampled (questions_of)
  std::vector<std::optional<double>> resampled;               // Pearson's r of each resample
};

// Of all rows, or of those of one group.
struct GroupAgreement {
  std::string name;              // "": all rows
  int64_t n = 0, questions = 0;  // rows; fewer where several answer one question
  bool is_human_constant = false;
  std::vector<MetricAgreement> metrics;
};

struct AgreementOptions {
  stats::BootstrapOptions bootstrap;
  AgreementTest test = AgreementTest::williams;  // as many exchanges as resamples
};

struct Agreement {
  std::vector<std::string> metrics;    // names; all figures by metric are in this order
  std::vector<GroupAgreement> groups;  // all rows first, then the groups as they appear
  std::vector<MetricTest> tests;  // between all pairs of metrics, Holm-corrected over all groups'
  std::optional<SystemLevel> systems;  // when rows name a system
  bool has_questions = false;          // any row says which question it answers
  int64_t unlabelled = 0;              // rows left out because they have no label
  AgreementOptions options;
  std::string signature;
};

// Of one metric's scores, with intervals over resamples of the clusters.
MetricAgreement metric_agreement(std::span<const double> human, std::span<const double> scores,
                                 const stats::Clusters& questions,
                                 const stats::BootstrapOptions& options, uint64_t stream);

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options);

// The metrics, best first by Pearson's r over all rows; those where it is undefined come last.
std::vector<size_t> by_agreement(const GroupAgreement& group);

}  // namespace rubric::eval
