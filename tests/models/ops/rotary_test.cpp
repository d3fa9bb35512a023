#include "models/ops/rotary.h"

#include "models/fixture.h"

namespace rubric::models::rotary_test {

constexpr int64_t kHeads = 3;

struct RotaryCase {
  const char* name;
  RotarySettings settings;
};

// tests/fixtures/make_decoders.py: transformers' turning of two rows' heads of 12 numbers.
struct RotaryParity : testing::TestWithParam<RotaryCase> {};

RotarySettings with_attention_factor(RotarySettings settings) {
  if (settings.attention_factor == 0) {
    settings.attention_factor = default_attention_factor(settings);
  }
  return settings;
}

TEST_P(RotaryParity, EqualsTransformers) {
  const auto expected = fixture_tensors("decoders/rotary.safetensors");
  const std::string name = GetParam().name;
  const Rotary rotary(with_attention_factor(GetParam().settings));
  const auto both = [&](const std::string& of) {
    return at::cat({expected.at(of + ".0"), expected.at(of + ".1")});
  };
  const Offsets offsets = {0, 24, 29};
  const at::Tensor x = both("x");
  // As a wider product leaves them.
  const at::Tensor slice = at::cat({at::randn({29, 5}), x}, 1).narrow(1, 5, 36);
  const RotaryAngles angles = rotary.angles(offsets);
  EXPECT_LT(difference(rotate(slice, kHeads, angles), both(name)), 1e-6);

  const RotaryAngles last = rotary.last_angles(std::vector<int64_t>{24, 5});
  for (const auto& [of_last, of_all] :
       {std::pair{last.cosines, angles.cosines}, std::pair{last.sines, angles.sines}}) {
    EXPECT_TRUE(at::equal(of_last[0], of_all[23]));
    EXPECT_TRUE(at::equal(of_last[1], of_all[28]));
  }
}

const std::vector<double> kShort = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5}, kLong = {1.5, 2, 2.5, 3, 3.5, 4};

INSTANTIATE_TEST_SUITE_P(
    Cases, RotaryParity,
    testing::Values(
        RotaryCase{"none", {.size = 12}}, RotaryCase{"base", {.size = 12, .base = 160000}},
        RotaryCase{"partial", {.size = 6}},
        RotaryCase{"linear", {.size = 12, .scaling = RotaryScaling::linear, .factor = 2.5}},
        RotaryCase{"dynamic",
                   {.size = 12, .scaling = RotaryScaling::dynamic, .factor = 2, .positions = 16}},
        RotaryCase{"yarn",
                   {.size = 12,
                    .base = 100,
                    .scaling = RotaryScaling::yarn,
                    .factor = 4,
                    .positions = 16,
                    .attention_factor = 0}},
        RotaryCase{"yarn_whole",
                   {.size = 12,
                    .base = 100,
                    .scaling = RotaryScaling::yarn,
                    .factor = 4,
                    .positions = 16,
                    .beta_fast = 8,
                    .beta_slow = 2,
                    .truncate = false,
                    .attention_factor = 1.3}},
        RotaryCase{"llama3",
                   {.size = 12,
                    .base = 1000,
                    .scaling = RotaryScaling::llama3,
                    .factor = 8,
                    .positions = 64}},
        RotaryCase{"longrope",
                   {.size = 12,
                    .scaling = RotaryScaling::longrope,
                    .factor = 4,
                    .positions = 16,
                    .short_factors = kShort,
                    .long_factors = kLong,
                    .attention_factor = 0}}),
    [](const auto& instance) { return std::string(instance.param.name); });

// An angle turned back is the gradient.
TEST(Rotary, HasTheGradientsOfTheFormula) {
  at::manual_seed(1);
  const Offsets offsets = {0, 4, 7};
  const RotaryAngles angles = Rotary({.size = 4}).angles(offsets);
  const at::Tensor x = at::randn({7, 12}), w = at::randn({7, 12});
  const at::Tensor ours = x.clone().set_requires_grad(true);
  const at::Tensor theirs = x.clone().set_requires_grad(true);
  (rotate(ours, 2, angles) * w).sum().backward();
  const at::Tensor by_head = theirs.unflatten(1, {2, 6});
  const at::Tensor first = by_head.narrow(2, 0, 2), second = by_head.narrow(2, 2, 2);
  const at::Tensor cosines = angles.cosines.unsqueeze(1), sines = angles.sines.unsqueeze(1);
  const at::Tensor turned = at::cat({first * cosines - second * sines,
                                     second * cosines + first * sines, by_head.narrow(2, 4, 2)},
                                    2)
                                .flatten(1);
  (turned * w).sum().backward();
  EXPECT_LT(difference(ours.grad(), theirs.grad()), 1e-6);
}

TEST(Rotary, RefusesAnglesOfOtherTokens) {
  const RotaryAngles angles = Rotary({.size = 4}).angles({0, 4, 7});
  EXPECT_THROW(rotate(at::randn({6, 12}), 2, angles), c10::Error);
  EXPECT_THROW(rotate(at::randn({7, 12}), 5, angles), c10::Error);
  EXPECT_THROW(rotate(at::randn({7, 12}), 6, angles), c10::Error);
}

}  // namespace rubric::models::rotary_test
