#include <vector>

#include "distributed/some_ranks.h"
#include "train/loop/loop.h"

namespace rubric::train::slow_ranks_test {

constexpr double kTokens = 1000;

std::vector<Work> of_equal_work(const std::vector<double>& seconds) {
  std::vector<Work> ranks;
  for (const double each : seconds) ranks.push_back({each, kTokens});
  return ranks;
}

TEST(StragglerDetector, TheSlowestIsNamedWhereTheMedianRankIsMuchFaster) {
  for (const auto& seconds : {std::vector{1.0, 2.0}, {1.0, 2.0, 1.0}, {0.5, 2.0, 1.9, 1.0}}) {
    const auto slow = slow_rank(of_equal_work(seconds));
    ASSERT_TRUE(slow);
    EXPECT_EQ(slow->rank, 1);
    EXPECT_DOUBLE_EQ(slow->times, 2);
  }
  EXPECT_FALSE(slow_rank(of_equal_work({1.0, 1.4, 1.1})));
  EXPECT_FALSE(slow_rank(of_equal_work({1.0})));
  EXPECT_FALSE(slow_rank({}));
}

TEST(StragglerDetector, MoreWorkIsNotSlowness) {
  // A batch of 3 rows on 2 ranks.
  EXPECT_FALSE(slow_rank(std::vector<Work>{{2.0, 2000}, {1.0, 1000}}));
  // The same where most of the time goes into what no row adds to.
  EXPECT_FALSE(slow_rank(std::vector<Work>{{1.1, 2000}, {1.0, 1000}}));
  EXPECT_FALSE(slow_rank(std::vector<Work>{{1.0, 2000}, {1.1, 1000}}));
  // A batch of 2 rows on 5 ranks: three take part in updates alone.
  const std::vector<Work> few = {{1.0, 500}, {1.2, 500}, {0.01, 0}, {0.01, 0}, {0.01, 0}};
  EXPECT_FALSE(slow_rank(few));
  // One with twice the rows that takes four times as long is slow.
  const auto slow = slow_rank(std::vector<Work>{{1.0, 1000}, {4.0, 2000}, {1.0, 1000}});
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->rank, 1);
  EXPECT_DOUBLE_EQ(slow->times, 2);
}

TEST(StragglerDetector, ARankWithoutRowsIsNeverTheSlowOne) {
  const auto slow = slow_rank(std::vector<Work>{{9.0, 0}, {1.0, 500}, {2.0, 500}});
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->rank, 2);
}

TEST(StragglerDetector, NoTimeAtAllIsNoMeasure) {
  EXPECT_FALSE(slow_rank(of_equal_work({0.0, 0.0, 1.0})));
  EXPECT_FALSE(slow_rank(std::vector<Work>{{0.0, 0}, {0.0, 0}, {1.0, 0}}));
}

TEST(StragglerDetector, AllHearOfItAfterFiftyUpdates) {
  const auto outcomes = run_ranks(3, [](const distributed::Ranks& ranks) {
    StragglerDetector slow_ranks;
    for (int i = 1; i <= 150; ++i) {
      // Rank 2 is slow in the first 50, rank 0 in the third; in between all are in turn.
      const int slow = i <= 50 ? 2 : i <= 100 ? i % 3 : 0;
      const auto found = slow_ranks.add({ranks.rank() == slow ? 2.0 : 1.0, kTokens}, ranks);
      EXPECT_EQ(found.has_value(), i == 50 || i == 150) << i;
      if (found) {
        EXPECT_EQ(found->rank, slow);
      }
    }
  });
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

}  // namespace rubric::train::slow_ranks_test
