// Significance tests between two metrics, or two systems, that were scored on the same records. All
// p values are two-sided.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

struct TestResult {
  double statistic, p;
  // True when no drawn permutation was as large: p is then an upper bound, the smallest value that
  // this number of permutations can give.
  bool is_least = false;
};

// Williams' test (1959, as in Steiger 1980, equation 7) of whether two metrics correlate
// differently with the human scores of the same `n` records: `first` and `second` are their Pearson
// correlations with the human scores, `between` is their correlation with each other. Student's t
// with n - 3 degrees of freedom. nullopt where it is undefined: n < 4, or two equal metrics.
std::optional<TestResult> williams_test(double first, double second, double between, int64_t n);

struct PermutationOptions {
  int64_t permutations = 10000;
  uint64_t seed = 0;
};

// Tests of differences compute them row by row, before anything is added up: a sum of 1,000 scores
// near a million has lost the digits in which two systems differ. So results are the same when a
// constant is added to all scores.

// [series][row]: each series less the first, which becomes all zeros. The difference of two series
// is the difference of these.
std::vector<std::vector<double>> less_the_first(std::span<const std::vector<double>> series);

// How far rounding may move the mean of the rows' differences between two series: two means that
// are closer are equal. Scores have 16 digits, and sums of n differences are rounded n times:
// 4 ε mean(|a| + |b|) + 10⁻¹² mean(|a − b|), ε = 2⁻⁵².
double rounding_of_difference(std::span<const double> first, std::span<const double> second);

// Paired permutation tests (Fisher 1935; for metrics Deutsch et al. 2021): how often |difference|
// is at least as large when the two values of each record are swapped at random, all records of a
// cluster together. Uses all permutations of 20 clusters or fewer, 2^20 at most; else draws them,
// and p is (count + 1) / (drawn + 1). The result does not depend on the number of threads.

// Tests the differences of Pearson correlations with `human`, the first's minus the second's, of
// every two of scores[metric][record], in the order (0, 1), (0, 2), …, (1, 2), …. Scores should be
// on one scale. nullopt where a correlation is undefined; permutations with an undefined
// correlation count as larger.
std::vector<std::optional<TestResult>> permutation_tests_of_correlations(
    std::span<const double> human, std::span<const std::vector<double>> scores,
    const Clusters& clusters, const PermutationOptions& options);

// Tests the differences of means in the same order. The series must not be empty.
std::vector<TestResult> permutation_tests_of_means(std::span<const std::vector<double>> scores,
                                                   const Clusters& clusters,
                                                   const PermutationOptions& options);

// How many permutations tests of one table draw: as many as resamples or, where these are not fewer
// than by default, 1,000 for each test if that is more, so that the smallest p is below 0.001 after
// Holm's correction; but not more than kMostForTests for that.
inline constexpr int64_t kMostForTests = 200'000;
int64_t permutations_for(const BootstrapOptions& options, size_t tests);

// The p value of McNemar's exact test (1947), a binomial test of one half: only the first system is
// right on `only_first` records, only the second on `only_second`. 1 when both are 0.
double mcnemar_exact(int64_t only_first, int64_t only_second);

struct PValue {
  double p = 1;
  bool is_least = false;  // as in TestResult
};

// The p values of one table with Holm's correction (1979), in the given order; each at most 1. A
// corrected value below 1 that comes from an upper bound is an upper bound too.
std::vector<PValue> holm(std::span<const PValue> values);

}  // namespace rubric::stats
