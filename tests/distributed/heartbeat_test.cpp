#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "distributed/process_group.h"
#include "messages.h"

namespace rubric::distributed::heartbeat_test {

using namespace std::chrono_literals;

// The heartbeats of so many ranks, all in this process.
std::vector<std::unique_ptr<Heartbeat>> call(int size, std::chrono::milliseconds timeout) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::unique_ptr<Heartbeat>> ranks;
  for (int rank = 0; rank < size; ++rank) {
    ranks.push_back(std::make_unique<Heartbeat>(store, rank, size, timeout));
  }
  return ranks;
}

TEST(Heartbeat, WhoWaitsIsNotAbsent) {
  const auto ranks = call(3, 1h);
  ranks[1]->enter("update 7");
  ranks[2]->enter("update 8");
  const Heartbeat::Waiting first(*ranks[0]), third(*ranks[2]);
  const std::string absent = ranks[0]->absent();
  EXPECT_TRUE(absent.starts_with("rank 1 is late; it has been at update 7 for ")) << absent;
  EXPECT_EQ(absent.find('\n'), std::string::npos) << absent;
  const Heartbeat::Waiting second(*ranks[1]);
  EXPECT_EQ(ranks[0]->absent(), "");
}

TEST(Heartbeat, WhoHasEndedIsNamedUnlessItHadMissedAnother) {
  auto ranks = call(3, 1h);
  ranks[1]->enter("the end");
  ranks[1].reset();
  const Heartbeat::Waiting waiting(*ranks[0]);
  {
    const Heartbeat::Waiting misses(*ranks[2]);
    EXPECT_EQ(ranks[2]->absent(), "rank 1 has ended; it was last seen at the end");
  }
  ranks[2].reset();
  EXPECT_EQ(ranks[0]->absent(), "rank 1 has ended; it was last seen at the end");
}

TEST(HeartbeatDeathTest, WhoWaitsForEverIsEnded) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto ranks = call(2, 100ms);
        ranks[0]->enter("update 3");
        ranks[1]->enter("counting sheep");
        const Heartbeat::Waiting waiting(*ranks[0]);
        std::this_thread::sleep_for(1h);
      },
      testing::ExitedWithCode(1),
      "rank 0 of 2 waits forever at update 3\nrank 1 is late; it has been at counting sheep for");
}

TEST(HeartbeatDeathTest, WhoKnowsThatOthersAreAbsentAndDoesNotEndIsEnded) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto ranks = call(2, 1h);
        ranks[0]->absent();
        std::this_thread::sleep_for(1h);
      },
      testing::ExitedWithCode(1), "rank 0 of 2 waits forever at the start\nrank 1 is late");
}

// Tells when somebody asks it who is there.
struct AskedStore : c10d::HashStore {
  bool check(const std::vector<std::string>& keys) override {
    is_asked = true;
    return HashStore::check(keys);
  }
  std::atomic<bool> is_asked = false;
};

TEST(Heartbeat, ALateRankThatComesBeforeTheEndIsForgiven) {
  const auto store = c10::make_intrusive<AskedStore>();
  Heartbeat rank(store, 0, 2, 100ms);
  {
    const Heartbeat::Waiting waiting(rank);
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (!store->is_asked && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
    }
  }
  ASSERT_TRUE(store->is_asked.load()) << "nobody has asked which ranks are there";
  // Answered by the thread that would have ended this process before.
  EXPECT_EQ(rank.absent(), "rank 1 has not connected");
}

}  // namespace rubric::distributed::heartbeat_test
