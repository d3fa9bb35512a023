// Tests between two metrics, or two systems, that were scored on the same records. All p values are
// two-sided.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::stats {

struct TestResult {
  double statistic, p;
};

// Williams' test (1959, as in Steiger 1980, equation 7) of whether two metrics correlate
// differently with the human scores of the same `n` records: `first` and `second` are their Pearson
// correlations with the humans, `between` theirs with each other. Student's t with n - 3 degrees of
// freedom. Nothing where it is undefined: n < 4, or two metrics that are the same.
std::optional<TestResult> williams_test(double first, double second, double between, int64_t n);

struct PermutationOptions {
  int64_t permutations = 10000;
  uint64_t seed = 0;
};

// Paired permutation tests (Fisher 1935; for metrics Deutsch et al. 2021): how often |difference|
// is at least as large when the two values of each record are exchanged by the toss of a coin, one
// for all records of a cluster. Over all 2^clusters exchanges where these are not more than
// `permutations`; else p is (count + 1) / (drawn + 1). The result does not depend on the number of
// threads.

// Of the difference of Pearson's correlations with `human`, a's less b's. Scores should be on one
// scale. Nothing when a correlation is undefined; exchanges where one is count as larger.
std::optional<TestResult> permutation_test_of_correlations(std::span<const double> human,
                                                           std::span<const double> a,
                                                           std::span<const double> b,
                                                           const Clusters& clusters,
                                                           const PermutationOptions& options);

// Of the difference of means, a's less b's. The series must hold a value.
TestResult permutation_test_of_means(std::span<const double> a, std::span<const double> b,
                                     const Clusters& clusters, const PermutationOptions& options);

// McNemar's exact test (1947): `only_first` records that only the first judges right, `only_second`
// that only the second does. The binomial test of one half; 1 when there are none.
double mcnemar_exact(int64_t only_first, int64_t only_second);

// Holm's correction (1979) of the p values of one table, in their order; each at most 1.
std::vector<double> holm(std::span<const double> p);

}  // namespace rubric::stats
