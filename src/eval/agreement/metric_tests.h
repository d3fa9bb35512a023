// Significance tests between all pairs of metrics of a table, with Holm's correction.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rubric/agreement.h"
#include "stats/significance.h"

namespace rubric::eval {

using rubric::AgreementTest;
using rubric::MetricTest;

// Tests for every two metrics whether their Pearson correlations with the human labels differ;
// undefined tests (n < 4, a constant series, identical metrics) are left out. `scores` are
// [metric][record]. The permutation test exchanges the two metrics' standardised scores (Deutsch et
// al. 2021), jointly for the records of a cluster; its statistic is the difference of correlations.
// Williams' test assumes independent records.
std::vector<MetricTest> test_correlations(const std::string& group, std::span<const double> human,
                                          std::span<const std::vector<double>> scores,
                                          const stats::Clusters& clusters, AgreementTest test,
                                          const stats::PermutationOptions& options);

// McNemar's exact test for every two metrics that judged the same records; `right` is
// [metric][record]. The difference is that of the accuracies, the statistic the number of records
// that only the first judges right.
std::vector<MetricTest> test_accuracies(const std::string& group,
                                        std::span<const std::vector<bool>> right);

// Holm's correction over all tests of one table.
void correct(std::span<MetricTest> tests);

// The note on the correction to print below that table.
std::string correction_note(std::span<const MetricTest> tests);

// The test between two metrics, in either order, or nullptr.
const MetricTest* find_test(std::span<const MetricTest> tests, const std::string& group, size_t a,
                            size_t b);

}  // namespace rubric::eval
