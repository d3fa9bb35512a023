// Rate limits and backoff, on a clock of the test's own.
#include "judge/endpoint/pacing.h"

#include <gtest/gtest.h>

namespace rubric::judge::pacing_test {

using std::chrono::milliseconds;

// As many as a caller that asks at every millisecond may send in a minute.
int sent_in_a_minute(int64_t per_minute, double amount, milliseconds step) {
  const Clock::time_point begin{std::chrono::hours(1)};
  RateLimiter pace(per_minute);
  int sent = 0;
  for (Clock::time_point now = begin; now < begin + std::chrono::minutes(1); now += step) {
    while (pace.next() <= now && sent < 1'000'000) {
      pace.spend(amount, now);
      ++sent;
    }
  }
  return sent;
}

TEST(RateLimiter, KeepsToItsLimit) {
  EXPECT_EQ(sent_in_a_minute(60, 1, milliseconds(1)), 61);
  EXPECT_NEAR(sent_in_a_minute(6'000, 1, milliseconds(1)), 6'010, 1);   // 0.1 s is caught up with
  EXPECT_NEAR(sent_in_a_minute(6'000, 1, milliseconds(37)), 6'010, 4);  // for a late caller, too
  EXPECT_NEAR(sent_in_a_minute(90'000, 1'500, milliseconds(1)), 60, 1);
}

TEST(RateLimiter, WithoutALimitDoesNotWait) {
  RateLimiter pace(0);
  const Clock::time_point now = Clock::now();
  pace.spend(1e9, now);
  EXPECT_LE(pace.next(), now);
}

// What a request was thought to use and did not is there for the next ones.
TEST(RateLimiter, TakesBackWhatWasNotUsed) {
  const Clock::time_point now{std::chrono::hours(1)};
  RateLimiter pace(60'000);  // one a millisecond
  pace.spend(1'000, now);
  const Clock::time_point before = pace.next();
  pace.spend(-900, now);
  EXPECT_EQ(before - pace.next(), milliseconds(900));
}

TEST(RateLimiter, WaitsNoLongerThanAnHour) {
  const Clock::time_point now = Clock::now();
  RateLimiter pace(1);
  pace.spend(1e18, now);
  EXPECT_LE(pace.next(), now + std::chrono::hours(1));
  pace.spend(-1e18, now);
  EXPECT_LE(pace.next(), now);
}

// Requests that were in flight together are one outage, however many fail.
TEST(OutageBackoff, GrowWhileNothingIsAnswered) {
  const Clock::time_point begin{std::chrono::hours(1)};
  OutageBackoff pauses;
  EXPECT_EQ(pauses.fail(begin, begin + milliseconds(10), 0), milliseconds(250));
  EXPECT_EQ(pauses.fail(begin, begin + milliseconds(20), 0), std::nullopt);
  EXPECT_EQ(pauses.next(), begin + milliseconds(260));
  EXPECT_EQ(pauses.fail(begin + milliseconds(260), begin + milliseconds(300), 0),
            milliseconds(500));
  EXPECT_EQ(pauses.outages(), 2);
  pauses.answer();
  EXPECT_LE(pauses.next(), begin);
  EXPECT_EQ(pauses.fail(begin + milliseconds(310), begin + milliseconds(320), 0),
            milliseconds(250));
}

TEST(OutageBackoff, HoldWhatTheEndpointAsksFor) {
  const Clock::time_point begin{std::chrono::hours(1)};
  OutageBackoff pauses;
  EXPECT_TRUE(pauses.ask(begin, milliseconds(2'000)));
  EXPECT_FALSE(pauses.ask(begin + milliseconds(10), milliseconds(1'000)));
  pauses.answer();  // of a request that was sent before
  EXPECT_EQ(pauses.next(), begin + milliseconds(2'000));
}

TEST(Backoff, DoublesUpToAMinute) {
  constexpr uint64_t kLeast = 0, kMost = ~uint64_t{0};
  EXPECT_EQ(backoff(1, kLeast), milliseconds(250));
  EXPECT_NEAR(static_cast<double>(backoff(1, kMost).count()), 500, 1);
  EXPECT_EQ(backoff(4, kLeast), milliseconds(2'000));
  EXPECT_EQ(backoff(100, kLeast), milliseconds(30'000));
  EXPECT_NEAR(static_cast<double>(backoff(1'000'000, kMost).count()), 60'000, 1);
}

}  // namespace rubric::judge::pacing_test
