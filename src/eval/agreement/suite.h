// How well metrics order systems as humans do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/scored_files/scored_rows.h"
#include "stats/bootstrap_part.h"
#include "stats/correlation.h"

namespace rubric {

// Of the means over each system's rows.
struct SystemFigures {
  Correlations correlations;                // of three systems or more; two always give 1 or -1
  std::optional<double> pairwise_accuracy;  // Kocmi et al. 2021: the share of the system pairs that
                                            // humans tell apart which the metric orders as they do;
                                            // a metric's tie is wrong. Nothing without such a pair
};

struct SystemInterval {
  std::optional<Interval> pearson, spearman, kendall, pairwise_accuracy;
};

struct SystemLevel {
  std::vector<std::string> systems;        // in the order of their first row
  std::vector<int64_t> n;                  // rows of each
  std::vector<double> human;               // means, by system
  std::vector<std::vector<double>> means;  // [metric][system]
  std::vector<SystemFigures> figures;      // by metric
  std::vector<SystemInterval> intervals;   // questions resampled (questions_of); without resamples
                                           // in which a system has no row
};

SystemFigures system_figures(std::span<const double> human, std::span<const double> metric);

// Of the figures of each resample, without those that are undefined.
SystemInterval system_interval(const std::vector<SystemFigures>& resampled);

// Of rows that name their systems. With one system there are means and no figures.
SystemLevel evaluate_systems(const ScoredRows& rows, const BootstrapOptions& options);

}  // namespace rubric
