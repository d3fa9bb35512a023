// Values of statistics, and how intervals are computed.
#pragma once

#include <cstdint>
#include <optional>

namespace rubric {

// Options of percentile bootstrap intervals (Efron 1979). The intervals depend on the seed, not on
// the machine or the number of threads.
struct BootstrapOptions {
  int64_t resamples = 10'000;  // 1 to 1,000,000
  uint64_t seed = 0;
};

struct Interval {
  double low = 0, high = 0;  // the 2.5th and the 97.5th percentile
};

// In [-1, 1]; nothing where it is undefined: fewer than two values, or a constant series.
struct Correlations {
  std::optional<double> pearson, spearman, kendall;
};

}  // namespace rubric
