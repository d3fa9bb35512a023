// The evaluation of metrics against human labels on any rows: correlations over rows and by group,
// tests between metrics, and system-level agreement (how well metrics rank systems as humans do).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/scored_files/scored_files.h"
#include "eval/agreement/binary.h"
#include "eval/agreement/metric_tests.h"
#include "rubric/agreement.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"

namespace rubric {
class Progress;
}

namespace rubric::eval {

using rubric::Agreement;
using rubric::AgreementOptions;
using rubric::GroupAgreement;
using rubric::MetricAgreement;
using rubric::PairAgreement;
using rubric::SystemAgreement;
using rubric::SystemInterval;
using rubric::SystemLevel;
using rubric::ThresholdAgreement;

SystemAgreement system_agreement(std::span<const double> human, std::span<const double> metric);

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
// the labels as two values, if they are such; nullptr or rows with one label: no BinaryAgreement.
// `progress` counts the resamples.
std::vector<MetricAgreement> metric_agreements(std::span<const double> human,
                                               std::span<const std::vector<double>> scores,
                                               const stats::Clusters& questions,
                                               const stats::BootstrapOptions& options,
                                               uint64_t stream, const BinaryRows* binary = nullptr,
                                               Progress* progress = nullptr);

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options);

// The metrics, best first by Pearson's r over all rows, undefined ones last.
std::vector<size_t> by_agreement(const GroupAgreement& group);

}  // namespace rubric::eval
