#include "train/gradients.h"

#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "distributed/some_ranks.h"

namespace rubric {
namespace {

// Of three parameters the first has a gradient on both ranks, the second on rank 1, the third on
// none.
TEST(SumGradients, AddsUpWhatTheRanksHave) {
  const auto outcomes = run_ranks(2, [](const Ranks& ranks) {
    at::Tensor both = at::zeros({2, 2}), one = at::zeros({3}), none = at::zeros({1});
    for (const at::Tensor& tensor : {both, one, none}) tensor.set_requires_grad(true);
    both.mutable_grad() = at::full({2, 2}, 1.5F + static_cast<float>(ranks.rank()));
    if (ranks.rank() == 1) one.mutable_grad() = at::full({3}, 7.0F);
    sum_gradients({{"both", both, true}, {"one", one, true}, {"none", none, true}}, ranks);
    EXPECT_TRUE(both.grad().equal(at::full({2, 2}, 4.0F)));
    EXPECT_TRUE(one.grad().equal(at::full({3}, 7.0F)));
    EXPECT_FALSE(none.grad().defined());
  });
  for (const RankOutcome& outcome : outcomes) EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

TEST(GradientNorm, CountsAParameterWithoutGradientAsZero) {
  at::Tensor with = at::zeros({2}), without = at::zeros({2});
  with.set_requires_grad(true);
  with.mutable_grad() = at::full({2}, 3.0f);
  EXPECT_NEAR(gradient_norm({{"a", with, true}, {"b", without, true}}), std::sqrt(18.0), 1e-6);
}

}  // namespace
}  // namespace rubric
