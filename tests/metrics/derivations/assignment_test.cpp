#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "core/random.h"
#include "metrics/derivations/derivation_scores.h"

namespace rubric::metrics::assignment_test {

using Weights = std::vector<std::vector<double>>;

// The largest sum over all ways to give rows columns, or columns rows where there are fewer.
double best_sum(const Weights& weights) {
  const size_t rows = weights.size(), columns = weights[0].size();
  std::vector<size_t> order(std::max(rows, columns));
  std::iota(order.begin(), order.end(), 0);
  double best = -1e300;
  do {
    double sum = 0;
    for (size_t i = 0; i < std::min(rows, columns); ++i) {
      sum += rows <= columns ? weights[i][order[i]] : weights[order[i]][i];
    }
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Assignment, IsTheBestOfAll) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const size_t rows = 1 + seed % 5, columns = 1 + seed / 5 % 6;
    Weights weights(rows, std::vector<double>(columns));
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < columns; ++j) {
        // A coarse grid, so that many are equal.
        weights[i][j] =
            0.25 * static_cast<double>(below(random_bits(seed, Purpose::shuffle, i, j), 5));
      }
    }
    double sum = 0;
    std::set<size_t> rows_used, columns_used;
    for (const auto& [row, column] : best_assignment(weights)) {
      EXPECT_TRUE(rows_used.insert(row).second);
      EXPECT_TRUE(columns_used.insert(column).second);
      sum += weights[row][column];
    }
    EXPECT_EQ(rows_used.size(), std::min(rows, columns));
    EXPECT_NEAR(sum, best_sum(weights), 1e-12) << seed;
  }
}

TEST(Assignment, OfNothingIsEmpty) {
  EXPECT_TRUE(best_assignment({}).empty());
  EXPECT_TRUE(best_assignment({{}, {}}).empty());
}

}  // namespace rubric::metrics::assignment_test
