#include "core/error.h"
#include "distributed/collective.h"
#include "distributed/some_ranks.h"
#include "messages.h"

namespace rubric::distributed::together_test {

// Ends all of three ranks when `failing` of them throw a Problem; what each says.
template <class Problem>
std::vector<RankOutcome> fail(const std::vector<int>& failing) {
  return run_ranks(3, [&](const Ranks& ranks) {
    const int rank = run_on_all_ranks(ranks, [&] {
      for (const int each : failing) {
        if (each == ranks.rank()) throw Problem("too bad, says " + std::to_string(each), "a place");
      }
      return ranks.rank();
    });
    EXPECT_EQ(rank, ranks.rank());
  });
}

void expect_ended(const std::vector<RankOutcome>& outcomes, int code, const std::string& main) {
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, code) << outcome.message;
  expect_contains(outcomes[0].message, main);
  for (const size_t rank : {1U, 2U}) {
    expect_contains(outcomes[rank].message, "rank 0 says why all ranks end\n  to do: ");
  }
}

TEST(Together, WorkThatIsDoneOnAllGivesItsResult) {
  for (const RankOutcome& outcome : fail<Error>({})) EXPECT_EQ(outcome.code, kDone);
}

TEST(Together, AFailureOnOneRankEndsAllInItsKind) {
  expect_ended(fail<Error>({0}), kFailed, "too bad, says 0");
  expect_ended(fail<InputError>({1}), kBadInput, "rank 1: too bad, says 1\n  where: a place");
  expect_ended(fail<InputError>({0, 1, 2}), kBadInput, "too bad, says 0");
  expect_ended(fail<Interrupted>({2}), kInterrupted, "rank 2: too bad, says 2");
}

TEST(Together, RanksThatDisagreeAreRefused) {
  const auto disagree = [](int odd, const char* key) {
    return run_ranks(3, [&](const Ranks& ranks) {
      Json facts;
      facts["version"] = "1";
      facts["batches.size"] = "32";
      facts[key] = ranks.rank() == odd ? "16" : "32";
      require_agreement(ranks, facts);
    });
  };
  for (const RankOutcome& outcome : disagree(-1, "batches.size")) EXPECT_EQ(outcome.code, kDone);
  expect_ended(disagree(2, "batches.size"), kBadInput,
               "batches.size is 32 on rank 0 and 16 on rank 2");
  expect_ended(run_ranks(3,
                         [](const Ranks& ranks) {
                           Json facts = Json::Object{};
                           if (ranks.rank() == 1) facts["model"] = "x";
                           require_agreement(ranks, facts);
                         }),
               kBadInput, "model is missing on rank 0 and x on rank 1");
  expect_ended(disagree(0, "data.train"), kBadInput, "data.train is 16 on rank 0 and 32 on rank 1");
}

// Whatever is nested, and wherever in it a rank fails: before, inside or behind what ranks do
// together.
TEST(Together, WhatFailsInsideEndsAllOnce) {
  for (const int failing : {0, 1, 2}) {
    for (const std::string where : {"before", "inside", "behind"}) {
      expect_ended(run_ranks(3,
                             [&](const Ranks& ranks) {
                               const auto fail_at = [&](const std::string& place) {
                                 if (place == where && ranks.rank() == failing) {
                                   throw InputError("failed " + place);
                                 }
                                 return true;
                               };
                               run_on_all_ranks(ranks, [&] {
                                 fail_at("before");
                                 run_on_all_ranks(ranks, [&] { return fail_at("inside"); });
                                 ranks.all_gather("something");
                                 return fail_at("behind");
                               });
                             }),
                   kBadInput, "failed " + where);
    }
  }
}

// What follows an end that was caught is done together again.
TEST(Together, AnEndMayBeCaught) {
  const auto outcomes = run_ranks(3, [](const Ranks& ranks) {
    EXPECT_THROW(run_on_all_ranks(ranks,
                                  [&] {
                                    if (ranks.rank() == 1) throw Interrupted("stop");
                                    return true;
                                  }),
                 Interrupted);
    run_on_all_ranks(ranks, [&] {
      if (ranks.rank() == 2) throw Error("a full disk");
      return true;
    });
  });
  expect_ended(outcomes, kFailed, "rank 2: a full disk");
}

TEST(Together, TheNumberOfRankZeroIsToldToAll) {
  const auto outcomes = run_ranks(3, [](const Ranks& ranks) {
    EXPECT_EQ(broadcast_from_main(ranks,
                                  [&] {
                                    EXPECT_TRUE(ranks.is_main());
                                    return int64_t{1} << 60;
                                  }),
              int64_t{1} << 60);
  });
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

}  // namespace rubric::distributed::together_test
