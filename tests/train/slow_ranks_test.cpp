#include "train/slow_ranks.h"

#include <vector>

#include <gtest/gtest.h>

namespace rubric {
namespace {

// What is said of so many updates, each of them with these seconds.
std::vector<SlowRank> said(int updates, const std::vector<double>& seconds) {
  SlowRanks slow_ranks;
  std::vector<SlowRank> all;
  for (int i = 0; i < updates; ++i) {
    if (const auto slow = slow_ranks.add(seconds)) all.push_back(*slow);
  }
  return all;
}

TEST(SlowRanks, OneThatNeedsTwiceAsLongIsNamedEveryFiftyUpdates) {
  for (const auto& seconds : {std::vector{1.0, 2.0}, {1.0, 2.0, 1.0}, {1.0, 2.0, 1.0, 1.0}}) {
    EXPECT_TRUE(said(49, seconds).empty());
    const auto all = said(149, seconds);
    ASSERT_EQ(all.size(), 2U);
    for (const SlowRank& slow : all) {
      EXPECT_EQ(slow.rank, 1);
      EXPECT_DOUBLE_EQ(slow.times, 2);
    }
  }
}

TEST(SlowRanks, ALittleMoreIsNoNews) {
  EXPECT_TRUE(said(100, {1.0, 1.4, 1.1}).empty());
}

// What counts is the sum: longer rows fall to any rank now and then.
TEST(SlowRanks, RanksThatAreSlowInTurnAreNotNamed) {
  SlowRanks slow_ranks;
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> seconds = i % 2 == 0 ? std::vector{1.0, 3.0} : std::vector{3.0, 1.0};
    EXPECT_FALSE(slow_ranks.add(seconds));
  }
}

}  // namespace
}  // namespace rubric
