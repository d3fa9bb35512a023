// Percentile bootstrap intervals (Efron 1979), the same for the same seed on any machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace rubric {

struct BootstrapOptions {
  int64_t resamples = 1000;
  uint64_t seed = 0;
};

struct Interval {
  double low = 0, high = 0;  // the 2.5th and the 97.5th percentile
};

// As `pearson`: one figure of paired values, or nothing where it is undefined.
using PairedStatistic =
    std::function<std::optional<double>(std::span<const double> x, std::span<const double> y)>;

// The statistic of each resample, drawn with replacement from the pairs. Resamples of one `stream`
// are the same for every series of the same length; different streams are independent.
std::vector<std::optional<double>> bootstrap_statistics(std::span<const double> x,
                                                        std::span<const double> y,
                                                        const PairedStatistic& statistic,
                                                        const BootstrapOptions& options,
                                                        uint64_t stream = 0);

// The 95% interval of resampled statistics, interpolated between neighbours as numpy.percentile
// does. Undefined ones are skipped; nothing when all are.
std::optional<Interval> percentile_interval(std::span<const std::optional<double>> statistics);

}  // namespace rubric
