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
#include "rubric/agreement.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric::eval {

using rubric::Agreement;
using rubric::AgreementOptions;
using rubric::GroupAgreement;
using rubric::MetricAgreement;
using rubric::SystemAgreement;
using rubric::SystemInterval;
using rubric::SystemLevel;

SystemAgreement system_agreement(std::span<const double> human, std::span<const double> metric);

// Intervals from the values of each resample, ignoring undefined ones.
SystemInterval system_interval(const std::vector<SystemAgreement>& resampled);

// For rows that name their systems. With one system there are means but no correlations.
SystemLevel evaluate_systems(const data::ScoredRows& rows, const stats::BootstrapOptions& options);

// Rows.

// For each metric's scores, [metric][record], with intervals by resampling the clusters.
std::vector<MetricAgreement> metric_agreements(std::span<const double> human,
                                               std::span<const std::vector<double>> scores,
                                               const stats::Clusters& questions,
                                               const stats::BootstrapOptions& options,
                                               uint64_t stream);

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options);

// The metrics, best first by Pearson's r over all rows, undefined ones last.
std::vector<size_t> by_agreement(const GroupAgreement& group);

}  // namespace rubric::eval
