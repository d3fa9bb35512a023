// The order in which questions are asked, on a clock of the test's own.
#include <gtest/gtest.h>

#include "judge/endpoint/pacing.h"

namespace rubric::judge::question_queue_test {

TEST(QuestionQueueTest, ThoseWhoseTimeHasComeGoBeforeTheNextFreshOne) {
  const Clock::time_point begin{std::chrono::hours(1)};
  const auto second = std::chrono::seconds(1);
  RequestQueue queue(3);
  const auto take = [&](Clock::time_point now) {
    const size_t question = queue.next(now);
    queue.pop(now);
    return question;
  };
  EXPECT_EQ(take(begin), 0u);
  EXPECT_EQ(take(begin), 1u);
  queue.put_back(0, begin + 5 * second);
  queue.put_back(1, begin + 3 * second);
  EXPECT_LE(queue.ready(), begin);  // the fresh one
  EXPECT_EQ(queue.next(begin + 4 * second), 1u);
  EXPECT_EQ(queue.next(begin + 4 * second), 1u);  // it is still there
  EXPECT_EQ(take(begin + 4 * second), 1u);
  EXPECT_EQ(take(begin + 4 * second), 2u);
  EXPECT_EQ(queue.ready(), begin + 5 * second);
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(take(begin + 5 * second), 0u);
  EXPECT_TRUE(queue.empty());
}

}  // namespace rubric::judge::question_queue_test
