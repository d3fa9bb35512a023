#include "distributed/gradient_reducer.h"

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"
#include "messages.h"
#include "models/ops/gradient_checkpointing.h"

namespace rubric::distributed::gradient_reducer_test {

at::Tensor parameter(at::IntArrayRef sizes) {
  return at::zeros(sizes).set_requires_grad(true);
}

// `work` on so many ranks, all of which must come to its end.
void expect_done(int size, const std::function<void(const Ranks&)>& work) {
  for (const RankOutcome& outcome : run_ranks(size, work)) {
    EXPECT_EQ(outcome.code, kDone) << outcome.message;
  }
}

// Of three parameters the first has a gradient on both ranks, the second on rank 1, the third on
// none; a second time the first has none.
TEST(GradientReducer, AddsUpWhatTheRanksHave) {
  expect_done(2, [](const Ranks& ranks) {
    const at::Tensor both = parameter({2, 2}), one = parameter({3}), none = parameter({1});
    GradientReducer reducer({both, one, none}, ranks);
    const double factor = 1.5 + ranks.rank();
    reducer.backward(ranks.rank() == 0 ? (both * factor).sum()
                                       : (both * factor).sum() + (one * 7).sum());
    EXPECT_TRUE(both.grad().equal(at::full({2, 2}, 4.0F)));
    EXPECT_TRUE(one.grad().equal(at::full({3}, 7.0F)));
    EXPECT_FALSE(none.grad().defined());
    for (const at::Tensor& tensor : {both, one}) tensor.mutable_grad().reset();
    reducer.backward((one * factor).sum());
    EXPECT_FALSE(both.grad().defined());
    EXPECT_TRUE(one.grad().equal(at::full({3}, 4.0F)));
  });
}

// Pieces of a batch before the last leave their gradients to it: of what the last reads, and of
// what it does not read on any rank.
TEST(GradientReducer, TakesAlongWhatWasThereBefore) {
  expect_done(2, [](const Ranks& ranks) {
    const at::Tensor later = parameter({2}), earlier = parameter({3});
    GradientReducer reducer({later, earlier}, ranks);
    for (int time = 0; time < 2; ++time) {
      for (const at::Tensor& tensor : {later, earlier}) tensor.mutable_grad().reset();
      if (ranks.rank() == 1) (earlier.sum() * 2 + later.sum()).backward();
      if (ranks.rank() == 1) (earlier.sum() * 3).backward();
      reducer.backward(later.sum());
      EXPECT_TRUE(later.grad().equal(at::full({2}, 3.0F)));
      EXPECT_TRUE(earlier.grad().equal(at::full({3}, 5.0F)));
    }
  });
}

TEST(GradientReducer, ARankWithoutALossTakesPart) {
  expect_done(3, [](const Ranks& ranks) {
    const at::Tensor used = parameter({2}), unused = parameter({2});
    GradientReducer reducer({used, unused}, ranks);
    for (int without = 0; without < 4; ++without) {  // the last time all have one
      used.mutable_grad().reset();
      reducer.backward(ranks.rank() == without ? at::Tensor() : used.sum());
      EXPECT_TRUE(used.grad().equal(at::full({2}, without < 3 ? 2.0F : 3.0F)));
      EXPECT_FALSE(unused.grad().defined());
    }
    used.mutable_grad().reset();
    reducer.backward({});
    EXPECT_FALSE(used.grad().defined());
  });
}

// More than fits in a bucket.
TEST(GradientReducer, LargeParametersGoInParts) {
  constexpr int64_t kSize = 3'000'000;
  expect_done(2, [](const Ranks& ranks) {
    std::vector<at::Tensor> parameters;
    for (int i = 0; i < 5; ++i) parameters.push_back(parameter({kSize}));
    GradientReducer reducer(parameters, ranks);
    const at::Tensor weights = at::arange(kSize, at::kFloat);
    at::Tensor loss = at::zeros({});
    for (const at::Tensor& tensor : parameters) loss = loss + (tensor * weights).sum();
    reducer.backward(loss * (1 + ranks.rank()));
    for (const at::Tensor& tensor : parameters) EXPECT_TRUE(tensor.grad().equal(weights * 3));
  });
}

TEST(GradientReducer, AddsUpUnderGradientCheckpointing) {
  expect_done(2, [](const Ranks& ranks) {
    const at::Tensor first = parameter({2}), weight = parameter({2}), none = parameter({1});
    GradientReducer reducer({first, weight, none}, ranks);
    for (int time = 0; time < 2; ++time) {
      for (const at::Tensor& tensor : {first, weight}) tensor.mutable_grad().reset();
      at::Tensor out = first + 1;
      for (int layer = 0; layer < 2; ++layer) {  // both read the same weight
        out = models::checkpointed([&](const auto& in) { return in[0] * (weight + 1); }, {out});
      }
      reducer.backward(out.sum() * (1 + ranks.rank()));
      EXPECT_TRUE(first.grad().equal(at::full({2}, 3.0F)));
      EXPECT_TRUE(weight.grad().equal(at::full({2}, 6.0F)));
      EXPECT_FALSE(none.grad().defined());
    }
  });
}

TEST(GradientReducer, OneProcessIsPlainBackward) {
  const Ranks ranks;
  const at::Tensor used = parameter({2});
  GradientReducer reducer({used}, ranks);
  reducer.backward({});
  EXPECT_FALSE(used.grad().defined());
  reducer.backward(used.sum());
  EXPECT_TRUE(used.grad().equal(at::ones({2})));
}

TEST(GradientReducer, NamesARankThatIsGone) {
  const auto outcomes = run_ranks(2, [](const Ranks& ranks) {
    const at::Tensor used = parameter({2});
    GradientReducer reducer({used}, ranks);
    reducer.backward(used.sum());
    if (ranks.rank() == 1) _exit(9);
    reducer.backward(used.sum());
  });
  EXPECT_EQ(outcomes[0].code, kFailed);
  expect_contains(outcomes[0].message, "rank 1 is gone or stopped");
}

TEST(GradientReducer, AFailureOfItsOwnComputingStaysWhatItIs) {
  const auto outcomes = run_ranks(2, [](const Ranks& ranks) {
    const at::Tensor used = parameter({2});
    GradientReducer reducer({used}, ranks);
    const at::Tensor result = used * 2;
    result.register_hook([](const at::Tensor&) { throw Error("out of something"); });
    reducer.backward(result.sum());
  });
  for (const RankOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, kFailed);
    EXPECT_EQ(outcome.message, "out of something");
  }
}

}  // namespace rubric::distributed::gradient_reducer_test
