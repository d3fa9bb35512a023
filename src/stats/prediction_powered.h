// The mean of labels that some records have, with the help of predictions that all records have:
// prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023) with power
// tuning (PPI++: Angelopoulos, Duchi and Zrnic 2023), also for labels that are drawn in strata or
// with known probabilities. The records are a sample of what the estimate speaks of.
// docs/estimate.md derives the formulas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

// Values must be finite.
struct LabelledSample {
  std::vector<double> predictions;  // of all records, on any scale
  std::vector<uint32_t> labelled;   // the records with a label, in ascending order; one or more
  std::vector<double> labels;       // of these
  // With which each of them was drawn, above 0 and at most 1; empty: alike within each stratum.
  std::vector<double> probabilities = {};
  // By record, from 0; each stratum has a labelled record. Empty: one stratum. Not with
  // probabilities.
  std::vector<uint32_t> strata = {};
};

struct PoweredMean {
  double value = 0;
  double lambda = 0;  // the weight of the predictions, as in PPI++; 0: labels alone
  // By record: the error of the value is the sum of these, to first order. The sum of their
  // squares is the value's variance; of records in clusters that of the sums of each cluster.
  std::vector<double> influence;
};

// With the lambda that makes the variance of independent records least; it is not cut to [0, 1],
// because predictions may be on another scale than labels. 0 if the predictions are constant.
PoweredMean powered_mean(const LabelledSample& sample);
PoweredMean powered_mean(const LabelledSample& sample, double lambda);

// Pearson's correlation of labels and predictions: that of the labelled records, corrected by what
// the predictions of all records say of its first-order error. nullopt where the labelled records'
// correlation is undefined or 1 or -1.
std::optional<PoweredMean> powered_correlation(const LabelledSample& sample);
std::optional<PoweredMean> powered_correlation(const LabelledSample& sample, double lambda);

// The standard error of an estimate that is the sum of influences by cluster, and its 95% interval
// by Student's t with labelled - strata degrees of freedom. `labelled` of the clusters have a
// label: the variance is taken times labelled / (labelled - strata). nullopt unless there are more
// of them than strata.
struct EstimateError {
  double standard_error = 0;
  Interval interval;
};
std::optional<EstimateError> error_of(double value, std::span<const double> influence_by_cluster,
                                      size_t labelled, size_t strata = 1);

}  // namespace rubric::stats
