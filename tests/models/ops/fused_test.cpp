#include "models/ops/fused.h"

#include <cmath>
#include <functional>

#include "models/fixture.h"

namespace rubric::models::fused_test {

constexpr double kRate = 0.3;
constexpr uint64_t kSite = 5;
constexpr double kEpsilon = 1e-12;

// The values and the gradients of two functions of the same inputs, on numbers that cover both
// tails.
void expect_same_as_composed(
    const std::function<at::Tensor(const std::vector<at::Tensor>&)>& fused,
    const std::function<at::Tensor(const std::vector<at::Tensor>&)>& separate,
    const std::vector<at::Tensor>& values) {
  std::vector<at::Tensor> ours, theirs;
  for (const at::Tensor& value : values) {
    ours.push_back(value.clone().set_requires_grad(true));
    theirs.push_back(value.clone().set_requires_grad(true));
  }
  const at::Tensor out = fused(ours), expected = separate(theirs);
  EXPECT_LT(difference(out, expected), 2e-6);
  const at::Tensor d_out = at::randn_like(out);
  out.backward(d_out);
  expected.backward(d_out);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_LT(difference(ours[i].grad(), theirs[i].grad()), 2e-5) << "input " << i;
  }
}

// So many rows: few for one thread, many for two.
struct FusedRows : testing::TestWithParam<int64_t> {
  const TwoThreads two_;
};
INSTANTIATE_TEST_SUITE_P(Few, FusedRows, testing::Values(31));
INSTANTIATE_TEST_SUITE_P(Many, FusedRows, testing::Values(1500));

TEST_P(FusedRows, BiasAndGeluEqualLibtorchs) {
  at::manual_seed(1);
  expect_same_as_composed([](const auto& in) { return bias_gelu(in[0], in[1]); },
                          [](const auto& in) { return at::gelu(in[0] + in[1]); },
                          {at::randn({GetParam(), 67}) * 4, at::randn({67})});
}

TEST(Fused, GeluWithoutGradientsIsTheSame) {
  at::manual_seed(2);
  const at::Tensor x = at::randn({5, 7}), bias = at::randn({7});
  const at::Tensor with_slope = bias_gelu(x, bias);
  const at::NoGradGuard no_grad;
  EXPECT_TRUE(at::equal(bias_gelu(x, bias), with_slope));
}

TEST_P(FusedRows, TheEndOfASubLayerEqualsLibtorchs) {
  at::manual_seed(3);
  const int64_t rows = GetParam(), width = 67;
  const DropoutKeys keys{at::arange(rows, at::kLong)};
  for (const DropoutKeys& row_keys : {DropoutKeys{}, keys}) {
    expect_same_as_composed(
        [&](const auto& in) {
          return add_norm(in[0], in[1], in[2], {in[3], in[4]}, kEpsilon, row_keys, kRate, kSite);
        },
        [&](const auto& in) {
          const at::Tensor sum = in[2] + dropout(in[0] + in[1], row_keys, kRate, kSite);
          return at::layer_norm(sum, {width}, in[3], in[4], kEpsilon);
        },
        {at::randn({rows, width}), at::randn({width}), at::randn({rows, width}) * 3,
         at::randn({width}), at::randn({width})});
  }
}

TEST_P(FusedRows, RootMeanSquareNormEqualsLibtorchs) {
  at::manual_seed(4);
  for (const double epsilon : {1e-6, 0.5}) {  // the latter weighs as much as the numbers
    expect_same_as_composed([&](const auto& in) { return rms_norm(in[0], in[1], epsilon); },
                            [&](const auto& in) {
                              return in[0] * at::rsqrt(in[0].square().mean(1, true) + epsilon) *
                                     in[1];
                            },
                            {at::randn({GetParam(), 67}) * 3, at::randn({67})});
  }
}

TEST(Fused, RefusesWhatItsLoopsCannotRead) {
  const at::Tensor x = at::randn({4, 4}), bias = at::randn({4}), wide = at::randn({4, 8});
  EXPECT_THROW(bias_gelu(x.t(), bias), c10::Error);
  EXPECT_THROW(bias_gelu(wide.narrow(1, 0, 4), bias), c10::Error);
  EXPECT_THROW(bias_gelu(x.to(at::kDouble), bias), c10::Error);
  EXPECT_THROW(bias_gelu(x, at::randn({3})), c10::Error);
  const auto norm = [&](const at::Tensor& in, const at::Tensor& residual, const LayerNorm& of) {
    return add_norm(in, bias, residual, of, kEpsilon, DropoutKeys{}, 0, kSite);
  };
  EXPECT_NO_THROW(norm(x, x, {bias, bias}));
  EXPECT_THROW(norm(x.t(), x, {bias, bias}), c10::Error);
  EXPECT_THROW(norm(x, x.t(), {bias, bias}), c10::Error);
  EXPECT_THROW(norm(x, wide, {bias, bias}), c10::Error);
  EXPECT_THROW(norm(x, x, {bias, at::randn({5})}), c10::Error);
  const DropoutKeys too_few = {at::arange(x.size(0) - 1)};
  EXPECT_THROW(add_norm(x, bias, x, {bias, bias}, kEpsilon, too_few, 0.5, kSite), c10::Error);
  EXPECT_THROW(rms_norm(x.t(), bias, kEpsilon), c10::Error);
  EXPECT_THROW(rms_norm(x, at::randn({5}), kEpsilon), c10::Error);
}

// Not a number must stay one: the loop stops before it takes a step with such a loss.
TEST(Fused, NotANumberStaysOne) {
  const at::Tensor x = at::full({1, 3}, std::nan("")), bias = at::zeros({3});
  EXPECT_TRUE(bias_gelu(x, bias).isnan().all().item<bool>());
  const at::Tensor normed = add_norm(x, bias, bias.view({1, 3}), {at::ones({3}), bias}, kEpsilon,
                                     DropoutKeys{}, 0, kSite);
  EXPECT_TRUE(normed.isnan().all().item<bool>());
  EXPECT_TRUE(rms_norm(x, at::ones({3}), kEpsilon).isnan().all().item<bool>());
}

}  // namespace rubric::models::fused_test
