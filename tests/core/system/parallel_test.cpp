#include "core/system/parallel.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "core/context.h"

namespace rubric::parallel_test {

TEST(ShareWork, CoversEveryStepOnce) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{3}, size_t{1000}}) {
    for (const size_t operations : {size_t{0}, size_t{1'000'000'000}}) {
      std::vector<int> visits(count);
      parallel_for(count, operations, [&](size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(visits, std::vector<int>(count, 1)) << count << " " << operations;
    }
  }
}

constexpr size_t kWorthAllThreads = 1'000'000'000;

TEST(ShareWork, ThrowsWhatAnyPieceThrows) {
  for (const size_t failing : {size_t{0}, size_t{999}}) {  // of the first piece, of the last
    std::atomic<size_t> done = 0;
    const auto work = [&](size_t first, size_t end) {
      if (first <= failing && failing < end) throw std::runtime_error("no memory");
      done += end - first;
    };
    try {
      parallel_for(1000, kWorthAllThreads, work);
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "no memory");
    }
    EXPECT_LT(done, 1000u);
  }
}

TEST(ShareWork, OfSeveralPiecesThatThrowTheFirstIsTold) {
  const ContextScope scope({.threads = 4});
  const auto work = [](size_t first, size_t) {
    if (first == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    throw std::runtime_error("piece " + std::to_string(first));
  };
  try {
    parallel_for(1000, kWorthAllThreads, work);
    ADD_FAILURE() << "nothing thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "piece 0");
  }
}

TEST(ShareWork, KeepsToTheCoresThatItMayUse) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  EXPECT_EQ(usable_cores(), static_cast<size_t>(CPU_COUNT(&all)));
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  std::atomic<int> pieces = 0;
  parallel_for(1000, kWorthAllThreads, [&](size_t, size_t) { ++pieces; });
  EXPECT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
  EXPECT_EQ(pieces, 1);
}

}  // namespace rubric::parallel_test
