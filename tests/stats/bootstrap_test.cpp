#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.h"
#include "stats/correlation.h"

namespace rubric {
namespace {

// Uniform numbers on [0, 1), the same on every machine.
std::vector<double> numbers(size_t count, uint64_t seed) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(uniform(random_bits(seed, Purpose::initialise, i)));
  }
  return values;
}

TEST(Bootstrap, PercentilesInterpolateAsNumpyDoes) {
  std::vector<std::optional<double>> statistics = {std::nullopt};
  for (int i = 10; i >= 1; --i) statistics.push_back(i);
  const auto interval = percentile_interval(statistics);  // numpy.percentile(range(1, 11), …)
  EXPECT_NEAR(interval->low, 1.225, 1e-12);
  EXPECT_NEAR(interval->high, 9.775, 1e-12);
}

TEST(Bootstrap, IsUndefinedWhenEveryResampleIs) {
  const std::vector<double> constant(5, 1.0), values = numbers(5, 1);
  EXPECT_FALSE(bootstrap_interval(constant, values, pearson));
  EXPECT_FALSE(bootstrap_mean_interval({}));
}

TEST(Bootstrap, SkipsUndefinedResamples) {
  const std::vector<double> x = {1, 2}, y = {1, 3};  // half the resamples are constant
  const auto statistics = bootstrap_statistics(x, y, pearson, {});
  const auto undefined = std::count(statistics.begin(), statistics.end(), std::nullopt);
  EXPECT_GT(undefined, 300);
  EXPECT_LT(undefined, 700);
  EXPECT_EQ(bootstrap_interval(x, y, pearson)->low, 1);
}

TEST(Bootstrap, DependsOnTheSeedAlone) {
  const std::vector<double> values = numbers(50, 2);
  const auto first = *bootstrap_mean_interval(values, {.resamples = 500, .seed = 7});
  const auto again = *bootstrap_mean_interval(values, {.resamples = 500, .seed = 7});
  const auto other = *bootstrap_mean_interval(values, {.resamples = 500, .seed = 8});
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_NE(first.low, other.low);
}

TEST(Bootstrap, StreamsDiffer) {
  const std::vector<double> x = numbers(50, 3), y = numbers(50, 4);
  EXPECT_NE(bootstrap_statistics(x, y, pearson, {}, 0), bootstrap_statistics(x, y, pearson, {}, 1));
}

TEST(Bootstrap, MeanIntervalHasTheStandardErrorsWidth) {
  const std::vector<double> values = numbers(400, 5);
  const auto interval = *bootstrap_mean_interval(values, {.resamples = 4000, .seed = 1});
  const double standard_error = std::sqrt(1.0 / 12 / 400);
  EXPECT_NEAR((interval.high - interval.low) / (2 * 1.96 * standard_error), 1, 0.1);
}

// Of 200 samples of two correlated series, about 95% of the intervals hold the true correlation.
TEST(Bootstrap, CoversTheTrueCorrelation) {
  int covered = 0;
  for (uint64_t trial = 0; trial < 200; ++trial) {
    const std::vector<double> x = numbers(100, 100 + trial), noise = numbers(100, 1000 + trial);
    std::vector<double> y(100);
    for (size_t i = 0; i < y.size(); ++i) y[i] = x[i] + noise[i];  // correlation sqrt(1/2)
    const auto interval = *bootstrap_interval(x, y, pearson, {.resamples = 300, .seed = trial});
    covered += interval.low <= std::sqrt(0.5) && std::sqrt(0.5) <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, 180);
  EXPECT_LE(covered, 199);
}

}  // namespace
}  // namespace rubric
