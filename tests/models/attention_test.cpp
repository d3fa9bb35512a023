#include "models/attention.h"

#include "models/fixture.h"

namespace rubric {
namespace {

constexpr AttentionSettings kSettings{2, 0.3, 9};

// Central differences of a weighted sum of the output, in float32 on well-scaled numbers. Without
// dropout this would say nothing about the masks.
TEST(PackedAttention, GradientsWithDropoutEqualFiniteDifferences) {
  at::manual_seed(1);
  const Offsets offsets = {0, 3, 4, 9};
  std::vector<at::Tensor> inputs = {at::randn({9, 8}), at::randn({9, 8}), at::randn({9, 8})};
  const at::Tensor w = at::randn({9, 8});
  const DropoutKeys keys{at::arange(9, at::kLong)};
  const auto value = [&] {
    return (packed_attention(inputs[0], inputs[1], inputs[2], offsets, offsets, kSettings, keys) *
            w)
        .sum(at::kDouble);
  };
  for (at::Tensor& input : inputs) input.set_requires_grad(true);
  value().backward();
  for (at::Tensor& input : inputs) {
    const at::Tensor gradient = input.grad();
    const at::NoGradGuard no_grad;
    for (int64_t i = 0; i < input.numel(); i += 5) {
      float& x = input.view(-1).mutable_data_ptr<float>()[i];
      const float original = x;
      constexpr float kStep = 1e-2f;
      x = original + kStep;
      const double above = value().item<double>();
      x = original - kStep;
      const double below = value().item<double>();
      x = original;
      EXPECT_NEAR(gradient.view(-1)[i].item<double>(), (above - below) / (2 * kStep), 2e-3);
    }
  }
}

TEST(PackedAttention, RefusesWhatItsProductsCannotRead) {
  const Offsets offsets = {0, 4};
  const at::Tensor x = at::randn({4, 8});
  const auto attend = [&](const at::Tensor& q, const at::Tensor& v, const Offsets& of_keys,
                          int64_t heads) {
    return packed_attention(q, x, v, offsets, of_keys, {heads, 0, 0}, {});
  };
  EXPECT_NO_THROW(attend(x, at::randn({4, 20}).narrow(1, 3, 8), offsets, 2));  // tokens lie apart
  EXPECT_THROW(attend(at::randn({8, 4}).t(), x, offsets, 2), c10::Error);
  EXPECT_THROW(attend(x, x.to(at::kDouble), offsets, 2), c10::Error);
  EXPECT_THROW(attend(x, x, {0, 5}, 2), c10::Error);
  EXPECT_THROW(attend(x, x, {0, 2, 4}, 2), c10::Error);
  EXPECT_THROW(attend(x, x, offsets, 3), c10::Error);
  EXPECT_THROW(attend(at::randn({4, 6}), x, offsets, 2), c10::Error);
}

TEST(PackedAttention, DropoutDropsProbabilitiesAndRowsDoNotMix) {
  const Offsets offsets = {0, 4, 10};
  const at::Tensor q = at::randn({10, 8}), k = at::randn({10, 8}), v = at::randn({10, 8});
  const DropoutKeys keys{at::arange(10, at::kLong)};
  const at::Tensor dropped = packed_attention(q, k, v, offsets, offsets, kSettings, keys);
  EXPECT_GT(difference(dropped, packed_attention(q, k, v, offsets, offsets, kSettings, {})), 1e-3);
  const at::Tensor second =
      packed_attention(q.narrow(0, 4, 6), k.narrow(0, 4, 6), v.narrow(0, 4, 6), {0, 6}, {0, 6},
                       kSettings, {keys.rows.narrow(0, 4, 6)});
  EXPECT_LT(difference(second, dropped.narrow(0, 4, 6)), 1e-6);
}

}  // namespace
}  // namespace rubric
