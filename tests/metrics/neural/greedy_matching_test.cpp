#include <cmath>

#include "metrics/neural/bertscore.h"
#include "models/fixture.h"

namespace rubric::metrics::greedy_matching_test {

const std::vector<int64_t> kCandidate = {0, 3, 4, 2}, kReference = {0, 5, 2};

at::Tensor units(const std::vector<float>& angles) {
  const at::Tensor a = at::tensor(at::ArrayRef<float>(angles));
  return at::stack({a.cos(), a.sin()}, 1);
}

// By hand: similarities are cosines of the angles between.
TEST(MatchGreedily, AveragesTheBestSimilarities) {
  const EmbeddedText candidate{units({0.0f, 0.5f, 1.0f, 3.0f}), kCandidate};
  const EmbeddedText reference{units({0.1f, 0.7f, 2.0f}), kReference};
  const TokenWeights weights = {0, 0, 0, 1, 3, 1};
  const Match match = match_greedily(candidate, reference, weights);
  const double precision = (1 * std::cos(0.2) + 3 * std::cos(0.3)) / 4, recall = std::cos(0.2);
  EXPECT_NEAR(match.precision, precision, 1e-6);
  EXPECT_NEAR(match.recall, recall, 1e-6);
  EXPECT_NEAR(match.f1, 2 * precision * recall / (precision + recall), 1e-6);
  EXPECT_TRUE(match.is_defined);
}

TEST(MatchGreedily, SimilaritiesBelowZeroCount) {
  const EmbeddedText candidate{units({3.0f, 3.1f, 3.2f, 3.3f}), kCandidate};
  const EmbeddedText reference{units({0.0f, 0.1f, 0.0f}), kReference};
  EXPECT_LT(match_greedily(candidate, reference, TokenWeights(6, 1.0)).precision, -0.9);
}

TEST(MatchGreedily, WithoutWeightsNothingIsDefined) {
  const EmbeddedText candidate{units({0.0f, 0.5f, 1.0f, 3.0f}), kCandidate};
  const EmbeddedText reference{units({0.1f, 0.7f, 2.0f}), kReference};
  const Match match = match_greedily(candidate, reference, {1, 1, 1, 0, 0, 0});
  EXPECT_TRUE(match.is_defined);  // those around a row weigh something here
  const Match none = match_greedily(candidate, reference, {0, 0, 0, 1, 1, 0});
  EXPECT_FALSE(none.is_defined);
  EXPECT_EQ(none.recall, 0);
  EXPECT_EQ(none.f1, 0);
  EXPECT_GT(none.precision, 0);
}

TEST(InverseDocumentFrequencies, CountDocumentsNotOccurrences) {
  const auto tokenizer = text::open_tokenizer(fixture("byte_bpe/json"));
  data::TokenBatch texts;
  texts.ids = {0, 7, 7, 8, 2, /* */ 0, 8, 2};
  texts.segments.resize(texts.ids.size());
  texts.offsets = {0, 5, 8};
  const std::vector<int64_t> documents = {0, 1, 1};  // the second text twice
  const TokenWeights weights = inverse_document_frequencies(*tokenizer, texts, documents);
  EXPECT_EQ(weights.size(), 961u);
  EXPECT_EQ(weights[0], 0);
  EXPECT_EQ(weights[2], 0);
  EXPECT_NEAR(weights[7], std::log(4.0 / 2), 1e-12);
  EXPECT_EQ(weights[8], 0);
  EXPECT_NEAR(weights[9], std::log(4.0), 1e-12);
  EXPECT_EQ(equal_weights(*tokenizer)[0], 0);
  EXPECT_EQ(equal_weights(*tokenizer)[7], 1);
}

}  // namespace rubric::metrics::greedy_matching_test
