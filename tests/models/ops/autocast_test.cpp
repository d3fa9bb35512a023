#include "models/fixture.h"
#include "models/ops/device.h"
#include "models/ops/linear.h"

namespace rubric::models::autocast_test {

TEST(Autocast, ProductsAreBfloat16AsLongAsItLives) {
  const at::Tensor x = at::ones({2, 2});
  EXPECT_FALSE(is_autocast(at::kCPU));
  {
    const Autocast on(at::kCPU, true);
    EXPECT_TRUE(is_autocast(at::kCPU));
    EXPECT_EQ(at::mm(x, x).scalar_type(), at::kBFloat16);
    {
      const Autocast off(at::kCPU, false);
      EXPECT_EQ(at::mm(x, x).scalar_type(), at::kFloat);
    }
    EXPECT_EQ(at::mm(x, x).scalar_type(), at::kBFloat16);
  }
  EXPECT_EQ(at::mm(x, x).scalar_type(), at::kFloat);
}

// A cached copy would end at the weight that was read without gradients.
TEST(Autocast, AWeightThatWasReadWithoutGradientsGetsThem) {
  const at::Tensor x = at::ones({2, 2}), weight = at::ones({2, 2}).set_requires_grad(true);
  const Autocast on(at::kCPU, true);
  {
    const at::NoGradGuard no_grad;
    at::mm(x, weight);
  }
  at::mm(x, weight).sum().backward();
  EXPECT_TRUE(at::equal(weight.grad(), at::full({2, 2}, 2.0)));
}

TEST(Autocast, HeadsStayFloat32) {
  at::manual_seed(1);
  const Linear head{at::randn({3, 8}), at::randn({3})};
  const at::Tensor x = at::randn({4, 8}), expected = at::linear(x, head.weight, head.bias);
  const Autocast on(at::kCPU, true);
  EXPECT_TRUE(at::equal(float_linear(x, head), expected));
  EXPECT_EQ(float_linear(x.to(at::kBFloat16), head).scalar_type(), at::kFloat);
}

}  // namespace rubric::models::autocast_test
