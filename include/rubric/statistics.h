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

  void visit_fields(auto& field, const char* help = "bootstrap resamples") {
    field("resamples", resamples, help).range(1, 1'000'000);
    field("seed", seed, "of the random numbers: the same N gives the same results");
  }
};

// Of requests that have a permutation test, too.
inline constexpr const char* kPermutationHelp =
    "bootstrap resamples. A permutation test uses all permutations of 20 questions or fewer. Of "
    "more "
    "questions it draws N permutations; if N is 10000 or more, it draws at least 1000 for each "
    "test "
    "of the table, up to 200000";

struct Interval {
  double low = 0, high = 0;  // the 2.5th and the 97.5th percentile
};

// In [-1, 1]; nothing where it is undefined: fewer than two values, or a constant series.
struct Correlations {
  std::optional<double> pearson, spearman, kendall;
};

}  // namespace rubric
