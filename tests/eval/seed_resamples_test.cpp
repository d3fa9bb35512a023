#include <cmath>

#include <gtest/gtest.h>

#include "eval/resampling.h"

namespace rubric::eval {
namespace {

TEST(SeedAndInstanceInterval, OfOneFigureIsNone) {
  EXPECT_FALSE(seed_and_instance_interval({{{0.5, {}}}}));
}

TEST(SeedAndInstanceInterval, WithoutSeedsIsTheOneOverInstances) {
  std::vector<double> resampled;
  for (int i = 0; i <= 1000; ++i) resampled.push_back(i / 1000.0);
  const auto interval = seed_and_instance_interval({{{0.5, resampled}}});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 0.025, 1e-12);
  EXPECT_NEAR(interval->high, 0.975, 1e-12);
}

// Three seeds, no instances: each resample is a mean of three draws, and all three are the same
// seed's in 1/27 of them, which is more than 2.5%.
TEST(SeedAndInstanceInterval, OverSeedsReachesTheirEnds) {
  const auto interval = seed_and_instance_interval({{{0, {}}, {3, {}}, {6, {}}}});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 6);
}

TEST(SeedAndInstanceMeans, AreOfTheSeedThatDraws) {
  const std::vector<std::vector<RunValue>> figures = {{{0, {}}, {3, {}}, {6, {}}}};
  const auto means = [&](uint64_t seed) {
    return seed_and_instance_means(figures, {.resamples = 50, .seed = seed});
  };
  EXPECT_EQ(means(1).size(), 50u);
  EXPECT_EQ(means(1), means(1));
  EXPECT_NE(means(1), means(2));
}

// The mean over two groups whose instances move together or not at all.
TEST(SeedAndInstanceInterval, AveragesOverGroupsInEachResample) {
  std::vector<double> rising, falling;
  for (int i = 0; i < 1000; ++i) {
    rising.push_back(i);
    falling.push_back(-i);
  }
  const auto interval = seed_and_instance_interval({{{0, rising}}, {{0, falling}}});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 0);
}

// Four groups of one model: all three draws are the same seed's in 1/27 of the resamples as above.
// Drawn for each group, that would be in 1/27^4 of them.
TEST(SeedAndInstanceInterval, DrawsASeedWithAllItsFigures) {
  const std::vector<RunValue> seeds = {{0, {}}, {3, {}}, {6, {}}};
  const auto interval = seed_and_instance_interval({seeds, seeds, seeds, seeds});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 6);
}

TEST(SeedAndInstanceInterval, SkipsUndefinedResamples) {
  const double undefined = std::nan("");
  const auto interval = seed_and_instance_interval({{{1, {undefined, 2, 2, undefined}}}});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 2);
  EXPECT_EQ(interval->high, 2);
}

}  // namespace
}  // namespace rubric::eval
