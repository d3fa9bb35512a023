#include "models/ops/output_layer.h"

#include <cmath>
#include <numeric>

#include "models/fixture.h"

namespace rubric::models::output_layer_test {

constexpr int64_t kHiddenWidth = 6, kVocabulary = 50;

std::vector<int64_t> some_targets(int64_t tokens) {
  std::vector<int64_t> targets;
  for (int64_t i = 0; i < tokens; ++i) targets.push_back(i * 7 % kVocabulary);
  return targets;
}

at::Tensor as_tensor(const std::vector<int64_t>& values) {
  return at::tensor(at::IntArrayRef(values), at::kLong);
}

// So many tokens: on the paths of few rows and of many.
struct TargetLikelihood : testing::TestWithParam<int64_t> {
  const TwoThreads two_;
};
INSTANTIATE_TEST_SUITE_P(Tokens, TargetLikelihood, testing::Values(1, 40, 256, 600));

TEST_P(TargetLikelihood, EqualsLibtorchs) {
  at::manual_seed(1);
  const int64_t tokens = GetParam();
  const std::vector<int64_t> targets = some_targets(tokens);
  for (const bool has_bias : {false, true}) {
    std::vector<std::vector<at::Tensor>> sides;
    const at::Tensor states = at::randn({tokens, kHiddenWidth}), bias = at::randn({kVocabulary});
    const at::Tensor weight = at::randn({kVocabulary, kHiddenWidth}) * 3;
    for (int side = 0; side < 2; ++side) {
      std::vector<at::Tensor> in = {states.clone(), weight.clone(), bias.clone()};
      for (at::Tensor& tensor : in) tensor.set_requires_grad(true);
      const Linear output{in[1], has_bias ? in[2] : at::Tensor()};
      const at::Tensor expected =
          at::log_softmax(logits(in[0], output), 1).gather(1, as_tensor(targets).unsqueeze(1));
      const at::Tensor loss =
          side == 0 ? target_cross_entropy(in[0], output, targets) : -expected.sum();
      (loss * 0.5).backward();
      const std::vector<float> values = target_log_probabilities(in[0], output, targets);
      EXPECT_LT(difference(at::tensor(at::ArrayRef<float>(values)), expected.detach().squeeze(1)),
                1e-5);
      sides.push_back({loss.detach().reshape({1}), in[0].grad(), in[1].grad()});
      if (has_bias) sides.back().push_back(in[2].grad());
    }
    for (size_t i = 0; i < sides[0].size(); ++i) {
      EXPECT_LT(difference(sides[0][i], sides[1][i]), 1e-5) << i;
    }
  }
}

// Of so large a vocabulary four tokens are computed at once, and two without gradients. A few of
// its words have nearly all of the probability, so that rounding does not add up.
TEST(TargetLikelihoodOf, MoreTokensThanAreComputedAtOnceAreTheirSum) {
  const int64_t vocabulary = 1 << 21, tokens = 6;
  at::manual_seed(2);
  const at::Tensor states = at::randn({tokens, 1}), weight = at::randn({vocabulary, 1}) * 20;
  const at::Tensor bias = at::randn({vocabulary});
  std::vector<int64_t> targets;
  for (int64_t i = 0; i < tokens; ++i) targets.push_back(i * 300'007);
  const auto gradients_of = [&](int64_t first, int64_t size) {
    std::vector<at::Tensor> in = {states.narrow(0, first, size).clone(), weight.clone(),
                                  bias.clone()};
    for (at::Tensor& tensor : in) tensor.set_requires_grad(true);
    const std::span part =
        std::span(targets).subspan(static_cast<size_t>(first), static_cast<size_t>(size));
    const at::Tensor loss = target_cross_entropy(in[0], {in[1], in[2]}, part);
    loss.backward();
    return std::vector{loss.detach().reshape({1}), in[0].grad(), in[1].grad(), in[2].grad()};
  };
  const std::vector<at::Tensor> whole = gradients_of(0, tokens);
  std::vector<at::Tensor> sums = gradients_of(0, 1);
  for (int64_t i = 1; i < tokens; ++i) {
    const std::vector<at::Tensor> one = gradients_of(i, 1);
    sums[1] = at::cat({sums[1], one[1]});
    for (const size_t j : {0, 2, 3}) sums[j] += one[j];
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_LT(difference(whole[i], sums[i]),
              1e-5 * std::max(1.0, sums[i].abs().max().item<double>()))
        << i;
  }
  const std::vector<float> values = target_log_probabilities(states, {weight, bias}, targets);
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), -whole[0].item<double>(), 1e-4);
}

TEST(TargetLikelihoodOf, RefusesTargetsThatTheLogitsDoNotHave) {
  const at::Tensor states = at::randn({2, kHiddenWidth});
  const Linear output{at::randn({kVocabulary, kHiddenWidth}), {}};
  using Targets = std::vector<int64_t>;
  for (const Targets& targets : {Targets{1}, Targets{1, kVocabulary}, Targets{-1, 1}}) {
    EXPECT_THROW(target_log_probabilities(states, output, targets), c10::Error);
    EXPECT_THROW(target_cross_entropy(states, output, targets), c10::Error);
  }
}

// States that lie apart, as parts of a wider matrix do.
TEST(TargetLikelihoodOf, StatesWithStrides) {
  const at::Tensor wide = at::randn({5, 2 * kHiddenWidth}),
                   states = wide.narrow(1, 2, kHiddenWidth);
  const Linear output{at::randn({kVocabulary, kHiddenWidth}), {}};
  const std::vector<int64_t> targets = some_targets(5);
  EXPECT_EQ(target_log_probabilities(states, output, targets),
            target_log_probabilities(states.contiguous(), output, targets));
  EXPECT_TRUE(at::equal(target_cross_entropy(states, output, targets),
                        target_cross_entropy(states.contiguous(), output, targets)));
}

TEST(TargetLikelihoodOf, LargeLogitsStayFiniteAndNotANumberStaysOne) {
  const at::Tensor one = at::ones({1, 1});
  at::Tensor weight = at::zeros({3, 1});
  weight[1] = 1e4;
  const std::vector<int64_t> second = {1}, first = {0};
  EXPECT_EQ(target_log_probabilities(one, {weight, {}}, second)[0], 0);
  EXPECT_EQ(target_log_probabilities(one, {weight, {}}, first)[0], -1e4f);
  weight[2] = std::nan("");
  EXPECT_TRUE(std::isnan(target_log_probabilities(one, {weight, {}}, first)[0]));
  EXPECT_TRUE(std::isnan(target_cross_entropy(one, {weight, {}}, first).item<double>()));
}

}  // namespace rubric::models::output_layer_test
