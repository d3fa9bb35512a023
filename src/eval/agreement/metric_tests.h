// Whether two metrics differ, for all pairs of metrics of a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/significance.h"

namespace rubric::eval {

enum class AgreementTest { williams, permutation };

// Of two metrics on the same records.
struct MetricTest {
  std::string group;  // the row of the table; "" for all records
  size_t first = 0, second = 0;
  double difference = 0;                         // the first's figure less the second's
  double statistic = 0, p = 1, corrected_p = 1;  // Holm's, over the table
};

// Tests of whether every two metrics' Pearson correlations with the human labels differ, without
// those that are undefined (n < 4, a constant series, two metrics that are the same). `scores` are
// [metric][record]. The permutation test exchanges the two metrics' standardised scores (Deutsch
// et al. 2021), those of a cluster's records together; its statistic is the difference of
// correlations. Williams' test takes the records as independent.
std::vector<MetricTest> test_correlations(const std::string& group, std::span<const double> human,
                                          std::span<const std::vector<double>> scores,
                                          const stats::Clusters& clusters, AgreementTest test,
                                          const stats::PermutationOptions& options);

// McNemar's exact test of every two metrics that judged the same records: `right` is
// [metric][record]. The difference is that of the shares that are right, the statistic how many
// records only the first judges right.
std::vector<MetricTest> test_accuracies(const std::string& group,
                                        std::span<const std::vector<bool>> right);

// Holm's correction over all tests of one table.
void correct(std::span<MetricTest> tests);

// Says so, below that table.
std::string correction_note(std::span<const MetricTest> tests);

// The test between two metrics, in either order, or nullptr.
const MetricTest* find_test(std::span<const MetricTest> tests, const std::string& group, size_t a,
                            size_t b);

}  // namespace rubric::eval
