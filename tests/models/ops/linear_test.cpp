#include "models/ops/linear.h"

#include "models/fixture.h"
#include "models/ops/device.h"

namespace rubric::models::linear_test {

// On both sides of the number of rows where another way begins.
TEST(LinearLayer, EqualsTheProductOfLibtorchInFloat32) {
  at::manual_seed(7);
  const at::Tensor weight = at::randn({24, 40}), bias = at::randn({24});
  for (const int64_t rows : {kFewRows, kFewRows + 1}) {
    const at::Tensor x = at::randn({rows, 40}), wide = at::randn({rows, 80});
    for (const at::Tensor& input : {x, wide.narrow(1, 20, 40)}) {
      const at::Tensor expected = at::linear(input, weight, bias);
      EXPECT_LT(difference(linear(input, weight, bias), expected), 1e-5) << rows;
      for (const bool trains : {true, false}) {
        const at::Tensor trained = weight.clone().set_requires_grad(true);
        const at::AutoGradMode records(trains);
        const at::Tensor out = linear(input, trained, bias);
        EXPECT_LT(difference(out.detach(), expected), 1e-5) << rows;
        EXPECT_EQ(out.requires_grad(), trains);
      }
    }
  }
}

TEST(LinearLayer, TakesATransposedWeight) {
  at::manual_seed(8);
  const at::Tensor weight = at::randn({40, 24}).t(), bias = at::randn({24});
  for (const int64_t rows : {kFewRows, kFewRows + 1}) {
    const at::Tensor x = at::randn({rows, 40});
    EXPECT_LT(difference(linear(x, weight, bias), at::linear(x, weight, bias)), 1e-5) << rows;
  }
}

TEST(LinearLayer, EqualsItselfWithAPackedWeight) {
  at::manual_seed(9);
  const at::Tensor bias = at::randn({24});
  for (const at::Tensor& weight : {at::randn({24, 40}), at::randn({40, 24}).t()}) {
    Linear map{weight, bias};
    pack_weight(map, Packing::float32);
    EXPECT_EQ(is_packed(map), at::hasMKLDNN());
    for (const int64_t rows : {1, 16, 64, 65, 128, 600}) {
      const at::Tensor x = at::randn({rows, 80}).narrow(1, 20, 40);
      const at::Tensor expected = at::linear(x, weight, bias);
      EXPECT_LT(difference(linear(x, map), expected), 1e-5) << rows;
      EXPECT_LT(difference(without_bias(x, map), expected - bias), 1e-5) << rows;
      const std::vector<at::Tensor> three = fused_linear(x, {&map, &map, &map});
      ASSERT_EQ(three.size(), 3U);
      EXPECT_LT(difference(three[2], expected), 1e-5) << rows;
    }
  }
}

TEST(LinearLayer, IsInBFloat16UnderAutocast) {
  const Autocast precision(at::kCPU, true);
  for (const int64_t rows : {kFewRows, kFewRows + 1}) {
    EXPECT_EQ(linear(at::ones({rows, 8}), at::ones({4, 8}), at::Tensor()).scalar_type(),
              at::kBFloat16);
  }
}

}  // namespace rubric::models::linear_test
