// `compare`: whether systems differ in the means of metrics over the same records.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/compare/systems.h"
#include "rubric/compare.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

using rubric::Comparison;
using rubric::DifferingRow;
using rubric::DifferingRows;
using rubric::GroupComparison;
using rubric::MetricComparison;
using rubric::SystemComparison;
using rubric::SystemMean;

// Compares two or more systems by each of `metrics`, which name their scores, and lists at most
// `rows` rows of each two systems. The questions are resampled once, for all systems and metrics.
SystemComparison compare_systems(const MatchedSystems& systems,
                                 const std::vector<std::string>& metrics,
                                 const stats::BootstrapOptions& options, int64_t rows);

}  // namespace rubric::eval
