#include "stats/unequal_sampling.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace rubric::stats::unequal_sampling_test {

// 4 of sizes 1, 1, 2, 4, 8: 8 and then 4 would get more than 1; the rest share two as 1 : 1 : 2.
TEST(UnequalSampling, ProbabilitiesAreInProportionAndAtMostSo) {
  const std::vector<double> sizes = {1, 1, 2, 4, 8};
  const std::vector<double> expected = {0.5, 0.5, 1, 1, 1};
  const std::vector<double> probabilities = inclusion_probabilities(sizes, 4, 1);
  for (size_t k = 0; k < sizes.size(); ++k) EXPECT_NEAR(probabilities[k], expected[k], 1e-12);
  const std::vector<double> fewer = inclusion_probabilities(sizes, 2, 0.5);
  EXPECT_NEAR(std::accumulate(fewer.begin(), fewer.end(), 0.0), 2, 1e-12);
  EXPECT_NEAR(fewer[4], 0.5, 1e-12);
  EXPECT_NEAR(fewer[0], fewer[1], 1e-12);
}

TEST(UnequalSampling, EachUnitIsDrawnWithItsProbability) {
  const std::vector<double> probabilities = {0.3, 1, 0.05, 0.45, 0.2, 0.6, 0.4};  // sum 3
  constexpr int kStarts = 10'000;
  std::vector<double> drawn(probabilities.size());
  for (int s = 0; s < kStarts; ++s) {
    const std::vector<size_t> sample = systematic_sample(probabilities, (s + 0.5) / kStarts);
    EXPECT_EQ(sample.size(), 3U);
    for (const size_t unit : sample) drawn[unit] += 1;
  }
  for (size_t k = 0; k < drawn.size(); ++k) {
    EXPECT_NEAR(drawn[k] / kStarts, probabilities[k], 2.0 / kStarts) << k;
  }
}

TEST(UnequalSampling, AllAreDrawnWithCertainty) {
  for (const double start : {0.0, 0.3, 0.999999}) {
    EXPECT_EQ(systematic_sample(std::vector<double>(50, 1), start).size(), 50U) << start;
    EXPECT_EQ(systematic_sample(std::vector<double>(50, 0.1), start).size(), 5U) << start;
  }
}

}  // namespace rubric::stats::unequal_sampling_test
