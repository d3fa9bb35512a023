#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "train/loop/loop.h"

namespace rubric::train::step_test {

TEST(GradientNorm, CountsAParameterWithoutGradientAsZero) {
  at::Tensor with = at::zeros({2}), without = at::zeros({2});
  with.set_requires_grad(true);
  with.mutable_grad() = at::full({2}, 3.0f);
  EXPECT_NEAR(gradient_norm({{"a", with, true}, {"b", without, true}}), std::sqrt(18.0), 1e-6);
}

}  // namespace rubric::train::step_test
