#include "distributed/ranks.h"

#include <atomic>
#include <csignal>

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"
#include "messages.h"

namespace rubric::distributed::ranks_test {

using namespace std::chrono_literals;

void expect_all_done(const std::vector<RankOutcome>& outcomes) {
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

TEST(Ranks, OneProcessNeedsNoOther) {
  const Ranks ranks;
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_TRUE(ranks.is_main());
  const at::Tensor values = at::ones({2});
  ranks.all_reduce_sum(values);
  ranks.broadcast(values);
  EXPECT_TRUE(values.equal(at::ones({2})));
  EXPECT_EQ(ranks.all_gather("a"), std::vector<std::string>{"a"});
  EXPECT_EQ(ranks.broadcast(std::string("b")), "b");
}

TEST(Ranks, SumsCopiesAndTextsReachAll) {
  for (const int size : {2, 3}) {
    expect_all_done(run_ranks(size, [&](const Ranks& ranks) {
      EXPECT_EQ(ranks.size(), size);
      const at::Tensor values = at::full({2, 2}, 1.0F + static_cast<float>(ranks.rank()));
      ranks.all_reduce_sum(values);
      EXPECT_TRUE(values.equal(at::full({2, 2}, static_cast<float>(size * (size + 1) / 2))));

      std::vector<double> numbers = {1.0, 0.1 * ranks.rank()};
      ranks.all_reduce_sum(numbers);
      EXPECT_EQ(numbers[0], size);
      EXPECT_NEAR(numbers[1], 0.1 * (size * (size - 1) / 2), 1e-15);

      EXPECT_TRUE(ranks.any(ranks.rank() == 1));
      EXPECT_FALSE(ranks.any(false));

      const at::Tensor copied = at::full({3}, ranks.rank() + 7, at::kLong);
      ranks.broadcast(copied);
      EXPECT_TRUE(copied.equal(at::full({3}, 7, at::kLong)));

      const std::vector<std::string> texts =
          ranks.all_gather(std::string(static_cast<size_t>(ranks.rank()), 'x'));
      ASSERT_EQ(texts.size(), static_cast<size_t>(size));
      for (int i = 0; i < size; ++i) {
        EXPECT_EQ(texts[static_cast<size_t>(i)], std::string(static_cast<size_t>(i), 'x'));
      }
      EXPECT_EQ(ranks.all_gather(""), std::vector<std::string>(static_cast<size_t>(size)));
      EXPECT_EQ(ranks.broadcast("of " + std::to_string(ranks.rank())), "of 0");
    }));
  }
}

// The store of one run stands for torchrun's own, at which the second attempt of another run meets.
TEST(Ranks, MeetAtALaunchersStoreWhereThereIsOne) {
  const int port = free_port();
  auto* const done =
      static_cast<std::atomic<int>*>(mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const std::string localhost = "127.0.0.1";
  const auto outcomes = run_launches({{0, 2, 0, localhost, port, false, ""},
                                      {1, 2, 1, localhost, port, false, ""},
                                      {0, 3, 0, localhost, port, true, "1"},
                                      {1, 3, 1, localhost, port, true, "1"},
                                      {2, 3, 2, localhost, port, true, "1"}},
                                     [&](const Ranks& ranks) {
                                       double count = 1;
                                       ranks.all_reduce_sum({&count, 1});
                                       EXPECT_EQ(count, ranks.size());
                                       if (ranks.size() == 3) ++*done;
                                       while (*done < 3) usleep(1000);
                                     });
  munmap(done, sizeof(std::atomic<int>));
  expect_all_done(outcomes);
}

TEST(Ranks, AKilledRankEndsTheOthersWhoNameIt) {
  for (const int killed : {1, 0}) {  // rank 0 has the store
    const auto outcomes = run_ranks(3, [&](const Ranks& ranks) {
      ranks.set_activity("the first sum");
      const at::Tensor values = at::ones({1000});
      ranks.all_reduce_sum(values);
      if (ranks.rank() == killed) {
        sleep(1);  // it tells where it is twice a second
        raise(SIGKILL);
      }
      for (;;) ranks.all_reduce_sum(values);
    });
    for (int rank = 0; rank < 3; ++rank) {
      const RankOutcome& outcome = outcomes[static_cast<size_t>(rank)];
      EXPECT_EQ(outcome.code, rank == killed ? -1 : kFailed);
      if (rank == killed) continue;
      expect_contains(outcome.message, "rank " + std::to_string(rank) + " of 3");
      expect_contains(outcome.message, killed == 0
                                           ? "rank 0 or the launcher"
                                           : "rank 1 is gone or stopped; it was last seen at the "
                                             "first sum\n");
      EXPECT_EQ(outcome.message.find("rank 2 is"), std::string::npos) << outcome.message;
    }
  }
}

// What Gloo writes to a rank that has just ended is an error, and does not end this process.
TEST(Ranks, AWriteToWhoIsGoneIsNoSignal) {
  expect_all_done(run_ranks(2, [](const Ranks&) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    EXPECT_EQ(write(ends[1], "x", 1), -1);
    EXPECT_EQ(errno, EPIPE);
  }));
}

TEST(Ranks, OneThatDoesNotComeIsNamedAtTheTimeout) {
  for (const bool stops : {true, false}) {
    const auto outcomes = run_ranks(3, [&](const Ranks& ranks) {
      ranks.set_timeout(2);
      double value = 1;
      ranks.all_reduce_sum({&value, 1});
      if (ranks.rank() == 1) {
        ranks.set_activity("counting sheep");
        sleep(1);     // it tells where it is twice a second
        if (stops) {  // until the others are gone
          const pid_t self = getpid();
          if (fork() == 0) {
            sleep(12);
            kill(self, SIGCONT);
            _exit(0);
          }
          raise(SIGSTOP);
        } else {
          sleep(12);
        }
      }
      ranks.all_reduce_sum({&value, 1});
    });
    for (const size_t rank : {0U, 2U}) {
      EXPECT_EQ(outcomes[rank].code, kFailed);
      expect_says(outcomes[rank].message, {stops ? "rank 1 is gone or stopped; it was last seen at"
                                                 : "rank 1 is late; it has been",
                                           "counting sheep"});
      EXPECT_EQ(outcomes[rank].message.find("rank 2 is"), std::string::npos);
    }
    EXPECT_EQ(outcomes[1].code, kFailed);
  }
}

TEST(Ranks, APortInUseIsTheUsersToChange) {
  int listener = -1;
  const int port = free_port(&listener);
  const auto outcomes = run_launches({{0, 2, 0, "127.0.0.1", port}}, [](const Ranks&) {});
  close(listener);
  EXPECT_EQ(outcomes[0].code, kBadInput);
  expect_says(outcomes[0].message,
              {"127.0.0.1:" + std::to_string(port), "another program uses it", "MASTER_PORT"});
}

TEST(Ranks, ANetworkThatIsNotThereIsNamed) {
  setenv("GLOO_SOCKET_IFNAME", "no-such-net", 1);
  const auto outcomes = run_ranks(2, [](const Ranks&) {});
  unsetenv("GLOO_SOCKET_IFNAME");
  for (const RankOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, kBadInput);
    expect_contains(outcome.message,
                    "no network of this name with an address\n  where: GLOO_SOCKET_IFNAME=no-such");
  }
}

TEST(Ranks, AProgramThatSaysNothingAtThePortIsNoRank) {
  int listener = -1;
  const int port = free_port(&listener);
  const auto outcomes = run_launches(
      {{1, 2, 1, "127.0.0.1", port}}, [](const Ranks&) {}, 1s);
  close(listener);
  EXPECT_EQ(outcomes[0].code, kBadInput);
  expect_contains(outcomes[0].message, "the program at this port does not answer as a rank does");
  expect_contains(outcomes[0].message, "127.0.0.1:" + std::to_string(port));
}

TEST(Ranks, WhoDoesNotComeIsNamed) {
  const std::string localhost = "127.0.0.1";
  const int port = free_port();
  const auto outcomes = run_launches(
      {{0, 3, 0, localhost, port}, {2, 3, 2, localhost, port}}, [](const Ranks&) {}, 3s);
  for (const RankOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, kFailed);
    expect_contains(outcome.message, "rank 1 has not connected");
  }
}

// At once, not at the timeout.
TEST(Ranks, DifferentNumbersOfRanksAreNamed) {
  const std::string localhost = "127.0.0.1";
  for (const auto& [first, second] : {std::pair(2, 3), {3, 2}}) {
    const int port = free_port();
    const auto outcomes = run_launches(
        {{0, first, 0, localhost, port}, {1, second, 1, localhost, port}}, [](const Ranks&) {});
    const std::string names[] = {"rank 0 of " + std::to_string(first),
                                 "rank 1 of " + std::to_string(second)};
    for (const RankOutcome& outcome : outcomes) {
      EXPECT_EQ(outcome.code, kBadInput);
      for (const std::string& name : names) expect_contains(outcome.message, name);
    }
  }
}

TEST(Ranks, APortAtWhichNobodyListensIsNamed) {
  const int port = free_port();
  const auto outcomes = run_launches(
      {{1, 2, 1, "127.0.0.1", port}}, [](const Ranks&) {}, 2s);
  EXPECT_EQ(outcomes[0].code, kBadInput);
  expect_contains(outcomes[0].message,
                  "nobody answers\n  where: 127.0.0.1:" + std::to_string(port));
}

TEST(Ranks, AMasterWithoutAnAddressIsNamed) {
  const auto outcomes = run_launches(
      {{0, 2, 0, "no-such-host.invalid", 29500}, {1, 2, 1, "no-such-host.invalid", 29500}},
      [](const Ranks&) {});
  for (const RankOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, kBadInput);
    expect_says(outcome.message, {"no-such-host.invalid", "MASTER_ADDR"});
  }
}

}  // namespace rubric::distributed::ranks_test
