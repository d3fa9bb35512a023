#include <torch/csrc/autograd/autograd.h>

#include "models/fixture.h"
#include "models/ops/linear.h"

namespace rubric::models::onednn_linear_test {

struct Made {
  at::Tensor out;
  std::vector<at::Tensor> gradients;  // of x, weight and bias
};

// The product and what a gradient of many values means for what it is made of.
template <class Linear>
Made make(const Linear& linear, const std::vector<at::Tensor>& values, const at::Tensor& d_out) {
  std::vector<at::Tensor> inputs;
  for (const at::Tensor& value : values) inputs.push_back(value.clone().set_requires_grad(true));
  const at::Tensor out =
      linear(inputs[0], inputs[1], inputs.size() == 3 ? inputs[2] : at::Tensor());
  // Not backward(), which stores gradients in the order of their inputs.
  return {out.detach(), torch::autograd::grad({out}, inputs, {d_out})};
}

at::Tensor of_libtorch(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::linear(x, weight, bias);
}

// Sizes that leave a part at every end of a tile.
TEST(OneDnnLinear, EqualsTheProductOfLibtorchAndItsGradients) {
  at::manual_seed(5);
  const TwoThreads threads;
  for (const int64_t rows : {1, 65, 300}) {
    for (const auto& [in, out] : {std::pair(1, 3), {13, 5}, {384, 100}}) {
      std::vector<at::Tensor> inputs = {at::randn({rows, in}), at::randn({out, in}),
                                        at::randn({out})};
      const at::Tensor d_out = at::randn({rows, out});
      for (; inputs.size() > 1; inputs.pop_back()) {
        const Made ours = make(onednn_linear, inputs, d_out);
        const Made theirs = make(of_libtorch, inputs, d_out);
        EXPECT_LT(difference(ours.out, theirs.out), 1e-4) << rows << " " << in << " " << out;
        for (size_t i = 0; i < inputs.size(); ++i) {
          EXPECT_LT(difference(ours.gradients[i], theirs.gradients[i]), 1e-4)
              << rows << " " << in << " " << out << ", gradient " << i;
        }
      }
    }
  }
}

// As GPT-2 stores it.
TEST(OneDnnLinear, TakesATransposedWeight) {
  at::manual_seed(6);
  const auto transposed = [](const auto& linear) {
    return [linear](const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
      return linear(x, weight.t(), bias);
    };
  };
  std::vector<at::Tensor> inputs = {at::randn({65, 40}), at::randn({40, 24}), at::randn({24})};
  const at::Tensor d_out = at::randn({65, 24});
  for (; inputs.size() > 1; inputs.pop_back()) {
    const Made ours = make(transposed(onednn_linear), inputs, d_out);
    const Made theirs = make(transposed(of_libtorch), inputs, d_out);
    EXPECT_LT(difference(ours.out, theirs.out), 1e-4);
    for (size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_LT(difference(ours.gradients[i], theirs.gradients[i]), 1e-4) << "gradient " << i;
    }
    EXPECT_TRUE(ours.gradients[1].is_contiguous());
  }
}

TEST(OneDnnLinear, EitherFactorMayBeFrozen) {
  const at::Tensor x = at::randn({70, 8}), weight = at::randn({4, 8});
  const at::Tensor trained_x = x.clone().set_requires_grad(true);
  onednn_linear(trained_x, weight, {}).sum().backward();
  EXPECT_LT(difference(trained_x.grad(), weight.sum(0).expand({70, 8})), 1e-4);
  const at::Tensor trained_weight = weight.clone().set_requires_grad(true);
  onednn_linear(x, trained_weight, {}).sum().backward();
  EXPECT_LT(difference(trained_weight.grad(), x.sum(0).expand({4, 8})), 1e-4);
  EXPECT_FALSE(onednn_linear(x, weight, {}).requires_grad());
}

TEST(OneDnnLinear, RefusesASecondDerivative) {
  if (!at::hasMKLDNN()) return;  // libtorch's has one
  const at::Tensor x = at::randn({70, 8}).set_requires_grad(true), weight = at::randn({4, 8});
  const at::Tensor loss = onednn_linear(x, weight, {}).square().sum();
  EXPECT_THROW(loss.backward({}, /*retain_graph=*/true, /*create_graph=*/true), c10::Error);
}

// A gradient that is a part of a wider one, as of several maps of one input.
TEST(OneDnnLinear, TakesGradientsWhoseRowsAreApart) {
  const at::Tensor x = at::randn({70, 8}), weight = at::randn({4, 8});
  const at::Tensor trained = x.clone().set_requires_grad(true);
  const at::Tensor wide = at::randn({70, 12});
  onednn_linear(trained, weight, {}).backward(wide.narrow(1, 4, 4));
  EXPECT_LT(difference(trained.grad(), wide.narrow(1, 4, 4).matmul(weight)), 1e-5);
}

}  // namespace rubric::models::onednn_linear_test
