#include "distributed/collective.h"

#include <cmath>
#include <limits>
#include <thread>

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"
#include "messages.h"

namespace rubric::distributed::collective_test {

void expect_done(const std::vector<RankOutcome>& outcomes) {
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

TEST(ComputeTogether, ValuesKeepTheirBits) {
  const std::vector<float> values = {-0.0F, std::numeric_limits<float>::quiet_NaN(), 1e-45F,
                                     std::numeric_limits<float>::infinity(), 0.1F};
  expect_done(run_ranks(3, [&](const Ranks& ranks) {
    const at::Tensor all = gather_shares(ranks, {5}, [&](WorkShare share) {
      const at::Tensor mine = at::zeros({5});
      for (int64_t i = 0; i < 5; ++i) {
        if (share.has(i)) mine[i] = values[static_cast<size_t>(i)];
      }
      return mine;
    });
    for (int64_t i = 0; i < 5; ++i) {
      const float value = values[static_cast<size_t>(i)];
      EXPECT_EQ(all[i].item<float>() == value, !std::isnan(value)) << i;
      EXPECT_EQ(std::signbit(all[i].item<float>()), std::signbit(value)) << i;
    }
  }));
}

TEST(ComputeTogether, AShareMayBeEmpty) {
  expect_done(run_ranks(3, [](const Ranks& ranks) {
    const at::Tensor all = gather_shares(ranks, {1, 2}, [](WorkShare share) {
      return share.has(0) ? at::ones({1, 2}) : at::empty({0});
    });
    EXPECT_TRUE(all.equal(at::ones({1, 2})));
  }));
}

TEST(ComputeTogether, TextsStandInTheirPlaces) {
  const std::vector<std::string> texts = {"a", "", "ä\n\"", std::string("\0b", 2)};
  expect_done(run_ranks(3, [&](const Ranks& ranks) {
    const auto all = gather_shares(ranks, [&](WorkShare share) {
      std::vector<std::string> mine(4);
      for (size_t i = 0; i < 4; ++i) {
        if (share.has(static_cast<int64_t>(i))) mine[i] = texts[i];
      }
      return mine;
    });
    EXPECT_EQ(all, texts);
  }));
}

TEST(ComputeTogether, WhatOneRankThrowsEndsAll) {
  const auto outcomes = run_ranks(2, [](const Ranks& ranks) {
    gather_shares(ranks, {1}, [](WorkShare share) -> at::Tensor {
      if (share.index == 1) throw InputError("too bad");
      return at::zeros({1});
    });
  });
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kBadInput);
  expect_contains(outcomes[0].message, "rank 1: too bad");
}

// Another thread's run may have ended of the same problem: only this thread's ranks count.
TEST(ThrowCollectively, ThreadsHaveProblemsOfTheirOwn) {
  const auto outcomes = run_ranks(2, [](const Ranks& ranks) {
    const auto problem = std::make_exception_ptr(InputError("too bad"));
    std::thread([&] {
      EXPECT_THROW(throw_collectively(Ranks(Launch()), problem), InputError);
    }).join();
    throw_collectively(ranks, ranks.is_main() ? problem : nullptr);
  });
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kBadInput);
  expect_contains(outcomes[1].message, "rank 0 says why all ranks end");
}

}  // namespace rubric::distributed::collective_test
