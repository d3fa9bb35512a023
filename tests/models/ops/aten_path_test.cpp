#include "models/ops/aten_path.h"

#include <functional>

#include "models/fixture.h"
#include "models/ops/device.h"
#include "models/ops/linear.h"
#include "models/ops/output_layer.h"

namespace rubric::models::aten_path_test {

using Inputs = std::vector<at::Tensor>;
using Step = std::function<at::Tensor(const Inputs&)>;

// What a step gives, and the gradients of all inputs for a loss that weighs every number of it
// differently.
Inputs value_and_gradients(const Step& step, const Inputs& inputs) {
  Inputs copies;
  for (const at::Tensor& input : inputs) {
    copies.push_back(input.detach().clone().set_requires_grad(true));
  }
  const at::Tensor value = step(copies);
  (value * at::arange(1, value.numel() + 1).view(value.sizes()).sin()).sum().backward();
  Inputs all = {value.detach()};
  for (const at::Tensor& copy : copies) all.push_back(copy.grad());
  return all;
}

void expect_equal(const Step& aten_path, const Step& kernel, const Inputs& inputs) {
  const Inputs actual = value_and_gradients(aten_path, inputs);
  const Inputs expected = value_and_gradients(kernel, inputs);
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_LT(difference(actual[i], expected[i]), 1e-5)
        << (i == 0 ? "value" : "gradient of input ") << i;
  }
}

TEST(Composed, BiasGeluEqualsTheKernel) {
  at::manual_seed(1);
  expect_equal([](const Inputs& in) { return aten_path::bias_gelu(in[0], in[1]); },
               [](const Inputs& in) { return bias_gelu(in[0], in[1]); },
               {at::randn({7, 33}) * 2, at::randn({33})});
}

TEST(Composed, NormsEqualTheKernels) {
  at::manual_seed(2);
  const Inputs inputs = {at::randn({7, 33}), at::randn({33}), at::randn({7, 33}), at::randn({33}),
                         at::randn({33})};
  expect_equal(
      [](const Inputs& in) {
        return aten_path::add_norm(in[0], in[1], in[2], {in[3], in[4]}, 1e-3, 0);
      },
      [](const Inputs& in) {
        return add_norm(in[0], in[1], in[2], {in[3], in[4]}, 1e-3, {}, 0.1, 0);
      },
      inputs);
  expect_equal([](const Inputs& in) { return aten_path::rms_norm(in[0], in[1], 1e-3); },
               [](const Inputs& in) { return rms_norm(in[0], in[1], 1e-3); },
               {inputs[0], inputs[1]});
}

// The kernel, where every second number falls away, keeps one of two values in each row.
TEST(Composed, AddNormDropsAtItsRate) {
  const at::Tensor x = at::ones({100, 1000}), none = at::zeros({1000});
  const at::Tensor y =
      aten_path::add_norm(x, none, at::zeros_like(x), {at::ones({1000}), none}, 1e-5, 0.3);
  EXPECT_NEAR((y < 0).to(at::kFloat).mean().item<double>(), 0.3, 0.01);
}

TEST(Composed, RotationsEqualTheKernel) {
  at::manual_seed(7);
  const RotaryAngles angles = Rotary({.size = 4}).angles({0, 4, 7});
  expect_equal([&](const Inputs& in) { return aten_path::rotate(in[0], 2, angles); },
               [&](const Inputs& in) { return rotate(in[0], 2, angles); }, {at::randn({7, 12})});
}

struct AttentionCase {
  const char* name;
  Offsets query_offsets, key_offsets;
  int64_t reach;  // of the biases; 0: none
  bool causal;
  std::optional<double> scale;
  std::optional<int64_t> window = {};
  int64_t key_heads = 3;
};

class ComposedAttention : public testing::TestWithParam<AttentionCase> {};

TEST_P(ComposedAttention, EqualsTheKernel) {
  at::manual_seed(3);
  const AttentionCase& c = GetParam();
  AttentionSettings settings{3};
  settings.causal = c.causal;
  settings.scale = c.scale;
  settings.window = c.window;
  settings.key_heads = c.key_heads;
  const auto with = [&](const auto& attention) {
    return [&](const Inputs& in) { return attention(in, in.size() > 3 ? in[3] : at::Tensor()); };
  };
  // Keys and values as a wider product leaves them.
  const int64_t width = 4 * c.key_heads;
  const at::Tensor both = at::randn({c.key_offsets.back(), 2 * width});
  Inputs inputs = {at::randn({c.query_offsets.back(), 12}), both.narrow(1, 0, width),
                   both.narrow(1, width, width)};
  if (c.reach > 0) inputs.push_back(at::randn({3, 2 * c.reach + 1}));
  expect_equal(with([&](const Inputs& in, const at::Tensor& bias) {
                 return aten_path::packed_attention(in[0], in[1], in[2], c.query_offsets,
                                                    c.key_offsets, settings, false, bias);
               }),
               with([&](const Inputs& in, const at::Tensor& bias) {
                 return packed_attention(in[0], in[1], in[2], c.query_offsets, c.key_offsets,
                                         settings, {}, bias);
               }),
               inputs);
}

const Offsets kRows = {0, 3, 4, 9};

INSTANTIATE_TEST_SUITE_P(
    Cases, ComposedAttention,
    testing::Values(AttentionCase{"within_rows", kRows, kRows, 0, false, {}},
                    AttentionCase{"one_row", {0, 5}, {0, 5}, 0, false, {}},
                    AttentionCase{"of_another_sequence", {0, 5, 7}, {0, 3, 12}, 0, false, 0.3},
                    AttentionCase{"one_query_each", {0, 1, 2, 3}, kRows, 0, false, {}},
                    AttentionCase{"causal", kRows, kRows, 0, true, {}},
                    AttentionCase{"distances", kRows, kRows, 4, false, 1.0},
                    AttentionCase{"farther_distances", kRows, kRows, 7, false, 1.0},
                    AttentionCase{"causal_distances", kRows, kRows, 6, true, 1.0},
                    AttentionCase{"window", kRows, kRows, 0, false, {}, 1},
                    AttentionCase{"causal_window", kRows, kRows, 0, true, {}, 1},
                    AttentionCase{"window_of_distances", kRows, kRows, 6, false, 1.0, 2},
                    AttentionCase{"groups", kRows, kRows, 0, true, {}, {}, 1}),
    [](const auto& instance) { return std::string(instance.param.name); });

// Of rows of several blocks, whole and of their first tokens alone.
TEST(Composed, AttentionByDistancesEqualsTheKernel) {
  at::manual_seed(7);
  const Offsets rows = {0, 3, 4, 73}, firsts = {0, 1, 2, 3};
  const at::Tensor buckets = at::clamp(at::arange(-68, 69, at::kLong) + 40, 0, 79);
  for (const bool has_keys : {true, false}) {
    for (const bool has_queries : {true, false}) {
      for (const Offsets* const query_offsets : {&rows, &firsts}) {
        Inputs inputs = {at::randn({query_offsets->back(), 12}), at::randn({73, 12}),
                         at::randn({73, 12}), at::randn({80, 12}), at::randn({80, 12})};
        const auto distances = [&](const Inputs& in) -> DistanceVectors {
          return {has_keys ? in[3] : at::Tensor(), has_queries ? in[4] : at::Tensor(), buckets};
        };
        AttentionSettings settings{3};
        settings.scale = 0.2;
        const auto both = [&](const Inputs& in, at::Tensor out) {  // reaches all inputs
          return out + 0 * (in[3].sum() + in[4].sum());
        };
        expect_equal(
            [&](const Inputs& in) {
              return both(in, aten_path::packed_attention(in[0], in[1], in[2], *query_offsets, rows,
                                                          settings, false, {}, distances(in)));
            },
            [&](const Inputs& in) {
              return both(in, packed_attention(in[0], in[1], in[2], *query_offsets, rows, settings,
                                               {}, {}, distances(in)));
            },
            inputs);
        const at::NoGradGuard no_grad;
        const at::Tensor exact = packed_attention(inputs[0], inputs[1], inputs[2], *query_offsets,
                                                  rows, settings, {}, {}, distances(inputs));
        settings.rounded = true;
        const at::Tensor rounded = packed_attention(inputs[0], inputs[1], inputs[2], *query_offsets,
                                                    rows, settings, {}, {}, distances(inputs));
        EXPECT_FALSE(at::equal(rounded, exact));
        EXPECT_LT(difference(rounded, exact), 0.05);
      }
    }
  }
}

// On average dropout changes nothing, and one mask does.
TEST(Composed, AttentionDropsProbabilities) {
  at::manual_seed(4);
  const at::Tensor x = at::randn({9, 4});
  const AttentionSettings settings{2, 0.3};
  const auto attend = [&](bool drops) {
    return aten_path::packed_attention(x, x, x, kRows, kRows, settings, drops, {});
  };
  constexpr int kTimes = 2000;
  at::Tensor mean = at::zeros_like(x);
  for (int i = 0; i < kTimes; ++i) mean += attend(true) / kTimes;
  EXPECT_GT(difference(attend(true), attend(false)), 0.05);
  EXPECT_LT(difference(mean, attend(false)), 0.1);
}

TEST(Composed, LikelihoodsEqualTheKernels) {
  at::manual_seed(5);
  const std::vector<int64_t> targets = {3, 0, 16, 16, 5};
  const Inputs inputs = {at::randn({5, 6}), at::randn({17, 6}), at::randn({17})};
  const auto output = [](const Inputs& in) { return Linear{in[1], in[2]}; };
  expect_equal(
      [&](const Inputs& in) { return aten_path::target_cross_entropy(in[0], output(in), targets); },
      [&](const Inputs& in) { return target_cross_entropy(in[0], output(in), targets); }, inputs);
  const auto actual = aten_path::target_log_probabilities(inputs[0], output(inputs), targets);
  const auto expected = target_log_probabilities(inputs[0], output(inputs), targets);
  EXPECT_LT(difference(at::tensor(actual), at::tensor(expected)), 1e-5);
}

// The types that autocast leaves behind fit together, and what comes out is float32.
TEST(Composed, ALayerUnderAutocastIsNearFloat32) {
  at::manual_seed(6);
  const std::vector<int64_t> targets = {3, 0, 16, 16, 5, 1, 2, 3, 4};
  const Step layer = [&](const Inputs& in) {
    const at::Tensor x = aten_path::rms_norm(in[0], in[1], 1e-5);
    const auto attend = [&](bool causal, const at::Tensor& bias) {
      AttentionSettings settings{2};
      settings.causal = causal;
      const at::Tensor y = at::linear(x, in[2]);
      return aten_path::packed_attention(y, y, y, kRows, kRows, settings, false, bias);
    };
    const at::Tensor y =
        attend(true, {}) + attend(false, {}) + attend(true, in[3]) + attend(false, in[3]);
    const at::Tensor z =
        aten_path::add_norm(at::linear(y, in[2]), in[1], in[0], {in[1], in[1]}, 1e-5, 0);
    const at::Tensor states = in[0] + aten_path::bias_gelu(at::linear(z, in[2]), in[1]);
    return aten_path::target_cross_entropy(states, {in[4], {}}, targets);
  };
  const Inputs inputs = {at::randn({9, 8}), at::randn({8}) / 3 + 1, at::randn({8, 8}) / 3,
                         at::randn({2, 13}), at::randn({17, 8}) / 3};
  const Inputs expected = value_and_gradients(layer, inputs);
  const Autocast bfloat16(at::kCPU, true);
  const Inputs actual = value_and_gradients(layer, inputs);
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].scalar_type(), at::kFloat);
    EXPECT_LT(difference(actual[i], expected[i]), 5e-2) << i;
    EXPECT_GT(difference(actual[i], expected[i]), 1e-6) << i;  // was it autocast at all?
  }
}

}  // namespace rubric::models::aten_path_test
