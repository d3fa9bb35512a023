#include "metrics/neural/pair_likelihoods.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/config_fields.h"
#include "models/seq2seq/t5.h"
#include "models/seq2seq_fixture.h"
#include "models/sequence_model.h"
#include "models/weights/weights.h"

namespace rubric::metrics::pair_likelihoods_test {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// Counts the tokens that go into its encoder.
class CountingT5 : public models::T5 {
 public:
  using models::T5::T5;
  mutable std::atomic<int64_t> encoded = 0;  // of all threads

 protected:
  at::Tensor embed(models::Stack half, const std::vector<int64_t>& ids,
                   const std::vector<int64_t>& positions,
                   const models::DropoutKeys& keys) const override {
    if (half == models::Stack::encoder) encoded += std::ssize(ids);
    return models::T5::embed(half, ids, positions, keys);
  }
};

CountingT5 small_t5() {
  const std::string directory = fixture("seq2seq/t5_v1_1");
  models::NamedTensors weights = models::read_weights(directory);
  models::ConfigFields fields(directory);
  return {models::read_t5_config(fields), [&](const models::ParameterSlots& slots) {
            models::take_parameters(slots, weights, directory);
          }};
}

const std::vector<std::vector<int64_t>> kSources = {
    {5, 6, 7, 8, 9, 1}, {5, 6, 7, 1}, {11, 6, 7, 1}};
constexpr int64_t kSourceTokens = 14, kTargets = 4, kTargetTokens = 4;

void append_target(data::TokenPairs& pairs, const std::vector<int64_t>& source, int64_t last) {
  append_row(pairs.sources, source);
  append_row(pairs.decoder_inputs, {0, 12, 13, last});
  for (const int64_t id : {int64_t{12}, int64_t{13}, last, int64_t{1}}) pairs.targets.push_back(id);
  pairs.given.push_back(0);
}

// The targets of a source stand apart.
data::TokenPairs three_sources() {
  data::TokenPairs pairs;
  for (int64_t i = 0; i < kTargets; ++i) {
    for (const auto& source : kSources) append_target(pairs, source, 20 + i);
  }
  return pairs;
}

std::vector<float> one_by_one(const models::SequenceModel& model, const data::TokenPairs& pairs) {
  std::vector<float> values;
  for (int64_t row = 0; row < pairs.rows(); ++row) {
    for (const float value :
         pair_likelihoods(model, data::select_pairs(pairs, {{row}}), kNoLimit)) {
      values.push_back(value);
    }
  }
  return values;
}

// Within 16 units in the last place of the largest value: products of other batches may add in
// another order, which on one processor (AMD Zen 4) moved a value by 11.
void expect_near(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  const auto [least, most] = std::ranges::minmax(b);
  const float largest = std::max(std::abs(least), std::abs(most));
  const float tolerance = 16 * std::numeric_limits<float>::epsilon() * largest;
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(PairLikelihoods, ReadASourceOnceForAllOfItsTargets) {
  const CountingT5 model = small_t5();
  const data::TokenPairs pairs = three_sources();
  const std::vector<float> values = pair_likelihoods(model, pairs, kNoLimit);
  EXPECT_EQ(model.encoded, kSourceTokens);
  expect_near(values, one_by_one(model, pairs));
}

// The longest source with its targets, and the two others with theirs.
TEST(PairLikelihoods, CountASharedSourceOnce) {
  const CountingT5 model = small_t5();
  const data::TokenPairs pairs = three_sources();
  const int64_t two = 4 + 4 + 2 * kTargets * kTargetTokens;
  std::vector<int64_t> batches;
  const auto record = [&](int64_t rows) { batches.push_back(rows); };
  const std::vector<float> values = pair_likelihoods(model, pairs, two, record);
  std::ranges::sort(batches);
  EXPECT_EQ(batches, (std::vector<int64_t>{kTargets, 2 * kTargets}));
  EXPECT_EQ(model.encoded, kSourceTokens);
  expect_near(values, one_by_one(model, pairs));
}

// Three of the longest source's targets fit beside it, and the fourth does not.
TEST(PairLikelihoods, DivideTheTargetsOfASourceThatAreTooMany) {
  const CountingT5 model = small_t5();
  const data::TokenPairs pairs = three_sources();
  std::vector<int64_t> batches;
  const auto record = [&](int64_t rows) { batches.push_back(rows); };
  const std::vector<float> values =
      pair_likelihoods(model, pairs, 6 + 3 * kTargetTokens + 2, record);
  EXPECT_EQ(std::accumulate(batches.begin(), batches.end(), int64_t{0}), pairs.rows());
  EXPECT_EQ(std::ranges::max(batches), kTargets);  // those of a short source: 20 tokens
  EXPECT_EQ(model.encoded, kSourceTokens + 6);
  expect_near(values, one_by_one(model, pairs));
}

TEST(PairLikelihoods, SharesAreTheWholeTogether) {
  const CountingT5 model = small_t5();
  const data::TokenPairs pairs = three_sources();
  const int64_t max_tokens = 4 + 2 * kTargetTokens;  // several batches
  const std::vector<float> whole = pair_likelihoods(model, pairs, max_tokens);
  const std::vector<float> even = pair_likelihoods(model, pairs, max_tokens, {}, {0, 2});
  const std::vector<float> odd = pair_likelihoods(model, pairs, max_tokens, {}, {1, 2});
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_TRUE(even[i] == 0 || odd[i] == 0) << i;
    EXPECT_EQ(even[i] + odd[i], whole[i]) << i;
  }
  EXPECT_TRUE(std::ranges::any_of(even, [](float x) { return x != 0; }));
  EXPECT_TRUE(std::ranges::any_of(odd, [](float x) { return x != 0; }));
}

// Masks are drawn from the keys of every row's own tokens.
TEST(PairLikelihoods, SharedSourcesAreReadByEachRowUnderDropout) {
  const CountingT5 model = small_t5();
  data::TokenPairs pairs;
  for (int64_t i = 0; i < 2; ++i) append_target(pairs, kSources[0], 20);
  const at::NoGradGuard no_grad;
  const auto keys = [](int64_t tokens) {
    return models::DropoutKeys{at::arange(tokens, at::kLong)};
  };
  model.states(pairs, {keys(12), keys(8)});
  EXPECT_EQ(model.encoded, 12);
  model.states(pairs, {});
  EXPECT_EQ(model.encoded, 12 + 6);
}

// A causal model reads source and target as one sequence: each row's source counts.
TEST(PairLikelihoods, CountTheSourceOfEveryRowOfACausalModel) {
  const auto model = models::load_sequence_model(fixture("seq2seq/gpt2"));
  data::TokenPairs pairs;
  for (int64_t i = 0; i < 2; ++i) append_target(pairs, kSources[0], 20 + i);
  std::vector<int64_t> batches;
  const auto record = [&](int64_t rows) { batches.push_back(rows); };
  pair_likelihoods(*model, pairs, 6 + 2 * kTargetTokens, record);
  EXPECT_EQ(batches, (std::vector<int64_t>{1, 1}));
}

}  // namespace rubric::metrics::pair_likelihoods_test
