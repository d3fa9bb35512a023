#include "models/ops/dropout.h"

#include "models/fixture.h"

namespace rubric::models::dropout_test {

DropoutKeys keys_from(int64_t first, int64_t count) {
  return {at::arange(first, first + count, at::kLong)};
}

TEST(Dropout, KeepsTheRateAndTheScale) {
  const at::Tensor x = at::ones({4000, 384});
  const at::Tensor y = dropout(x, keys_from(0, 4000), 0.1, 3);
  EXPECT_NEAR((y == 0).to(at::kFloat).mean().item<double>(), 0.1, 1e-3);
  EXPECT_FLOAT_EQ(y.max().item<float>(), 1.0f / 0.9f);
}

// Plainly added consecutive seeds would correlate neighbouring masks at 0.25 and more.
TEST(Dropout, MasksOfNeighbouringKeysSitesAndColumnsAreIndependent) {
  const auto mask = [](int64_t first_key, uint64_t site) {
    return (dropout(at::ones({1000, 1024}), keys_from(first_key, 1000), 0.5, site) > 0)
        .to(at::kDouble)
        .sub_(0.5)
        .mul_(2);
  };
  const at::Tensor m = mask(0, 0);
  constexpr double kFourSigma = 4.0 / 1000;  // a million signs
  EXPECT_LT(std::abs((m * mask(1, 0)).mean().item<double>()), kFourSigma);
  EXPECT_LT(std::abs((m * mask(0, 1)).mean().item<double>()), kFourSigma);
  EXPECT_LT(std::abs((m.slice(1, 1) * m.slice(1, 0, -1)).mean().item<double>()), kFourSigma);
  EXPECT_LT(std::abs((m.slice(0, 1) * m.slice(0, 0, -1)).mean().item<double>()), kFourSigma);
}

TEST(Dropout, TheMaskOfARowDoesNotDependOnTheOthers) {
  const at::Tensor x = at::randn({8, 64});
  const at::Tensor collectively = dropout(x, keys_from(5, 8), 0.3, 7);
  const at::Tensor alone = dropout(x.narrow(0, 3, 1), keys_from(8, 1), 0.3, 7);
  EXPECT_TRUE(at::equal(collectively.narrow(0, 3, 1), alone));
}

TEST(Dropout, NeedsAKeyForEachRow) {
  const at::Tensor x = at::randn({4, 3});
  EXPECT_THROW(dropout(x, keys_from(0, 3), 0.4, 1), c10::Error);
  EXPECT_THROW(dropout(x, {at::arange(8).slice(0, 0, 8, 2)}, 0.4, 1), c10::Error);
  EXPECT_THROW(dropout(x, {at::randn({4})}, 0.4, 1), c10::Error);
}

TEST(Dropout, BackwardUsesTheSameMask) {
  at::Tensor x = at::randn({20, 30}).set_requires_grad(true);
  const at::Tensor y = dropout(x, keys_from(0, 20), 0.4, 1);
  y.sum().backward();
  EXPECT_LT(difference(x.grad() * x.detach(), y.detach()), 1e-6);
}

}  // namespace rubric::models::dropout_test
