#include "models/ops/gradient_checkpointing.h"

#include "models/fixture.h"
#include "models/ops/device.h"
#include "models/ops/dropout.h"

namespace rubric::models::gradient_checkpointing_test {

TEST(Checkpointing, GradientsAreThoseWithoutIt) {
  at::manual_seed(1);
  const at::Tensor weight = at::randn({4, 4}), first = at::randn({3, 4}), other = at::randn({3, 4});
  const DropoutKeys keys{at::arange(3, at::kLong)};
  std::vector<std::vector<at::Tensor>> gradients;
  for (const bool checkpoints : {false, true}) {
    const at::Tensor w = weight.clone().set_requires_grad(true);
    const at::Tensor x = first.clone().set_requires_grad(true);
    const at::Tensor y = other.clone().set_requires_grad(true);
    int calls = 0;
    const LayerFunction layer = [&](const std::vector<at::Tensor>& in) {
      ++calls;
      return dropout(at::tanh(at::mm(in[0], w)) * in[1], keys, 0.4, 7);
    };
    // Two layers, of which the second reads `y` again.
    at::Tensor out = x;
    for (int i = 0; i < 2; ++i) out = checkpoints ? checkpointed(layer, {out, y}) : layer({out, y});
    EXPECT_EQ(calls, 2);
    out.square().sum().backward();
    EXPECT_EQ(calls, checkpoints ? 4 : 2);
    gradients.push_back({w.grad(), x.grad(), y.grad()});
  }
  for (size_t i = 0; i < gradients[0].size(); ++i) {
    EXPECT_LT(difference(gradients[1][i], gradients[0][i]), 1e-6) << i;
  }
}

// As on a GPU, where masks are drawn from the generator and products are bfloat16.
TEST(Checkpointing, ALayerIsComputedAgainWithTheSameMasksAndTypes) {
  const at::Tensor weight = at::randn({16, 16}), first = at::randn({32, 16});
  std::vector<std::vector<at::Tensor>> gradients;
  for (const bool checkpoints : {false, true}) {
    at::manual_seed(1);
    const at::Tensor w = weight.clone().set_requires_grad(true);
    const at::Tensor x = first.clone().set_requires_grad(true);
    const LayerFunction layer = [&](const std::vector<at::Tensor>& in) {
      return at::dropout(at::tanh(at::mm(in[0], w)), 0.4, true).to(at::kFloat);
    };
    at::Tensor out = x;
    {
      const Autocast bfloat16(at::kCPU, true);
      for (int i = 0; i < 3; ++i) out = checkpoints ? checkpointed(layer, {out}) : layer({out});
    }
    const at::Tensor before = random_state(at::kCPU);
    out.square().sum().backward();
    EXPECT_TRUE(at::equal(random_state(at::kCPU), before));
    gradients.push_back({w.grad(), x.grad()});
  }
  for (size_t i = 0; i < gradients[0].size(); ++i) {
    EXPECT_TRUE(at::equal(gradients[1][i], gradients[0][i])) << i;
  }
}

TEST(Checkpointing, AnInputMayNeedNoGradient) {
  const at::Tensor w = at::ones({2}).set_requires_grad(true), constant = at::full({2}, 3.0);
  const at::Tensor x = at::ones({2}).set_requires_grad(true);
  checkpointed([&](const auto& in) { return in[0] * in[1] * w; }, {x, constant}).sum().backward();
  EXPECT_TRUE(at::equal(w.grad(), constant));
  EXPECT_TRUE(at::equal(x.grad(), constant));
  EXPECT_FALSE(constant.grad().defined());
}

TEST(Checkpointing, WithoutGradientsTheLayerIsCalledOnce) {
  int calls = 0;
  const at::NoGradGuard no_grad;
  const at::Tensor out = checkpointed(
      [&](const auto& in) {
        ++calls;
        return in[0] * 2;
      },
      {at::ones({1})});
  EXPECT_EQ(out.item<double>(), 2);
  EXPECT_EQ(calls, 1);
}

}  // namespace rubric::models::gradient_checkpointing_test
