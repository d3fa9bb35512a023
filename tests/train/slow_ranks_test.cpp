#include "train/slow_ranks.h"

#include <vector>

#include "distributed/some_ranks.h"

namespace rubric {
namespace {

TEST(SlowRanks, TheSlowestIsNamedWhereTheMedianRankIsMuchFaster) {
  for (const auto& seconds : {std::vector{1.0, 2.0}, {1.0, 2.0, 1.0}, {0.5, 2.0, 1.9, 1.0}}) {
    const auto slow = slow_rank(seconds);
    ASSERT_TRUE(slow);
    EXPECT_EQ(slow->rank, 1);
    EXPECT_DOUBLE_EQ(slow->times, 2);
  }
  EXPECT_FALSE(slow_rank(std::vector{1.0, 1.4, 1.1}));
  EXPECT_FALSE(slow_rank(std::vector{1.0}));
}

TEST(SlowRanks, AllHearOfItAfterFiftyUpdates) {
  const auto outcomes = run_ranks(3, [](const Ranks& ranks) {
    SlowRanks slow_ranks;
    for (int i = 1; i <= 150; ++i) {
      // Rank 2 is slow in the first 50, rank 0 in the third; in between all are in turn.
      const int slow = i <= 50 ? 2 : i <= 100 ? i % 3 : 0;
      const auto found = slow_ranks.add(ranks.rank() == slow ? 2.0 : 1.0, ranks);
      EXPECT_EQ(found.has_value(), i == 50 || i == 150) << i;
      if (found) {
        EXPECT_EQ(found->rank, slow);
      }
    }
  });
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

}  // namespace
}  // namespace rubric
