#include "models/generation/generate.h"

#include "models/generation/generation_fixture.h"

namespace rubric::models {
namespace {

class GreedyParity : public testing::TestWithParam<const char*> {};

TEST_P(GreedyParity, TokensEqualTransformers) {
  const Opened opened = open_fixture(GetParam());
  const Seq2SeqFixture expected = seq2seq_fixture(GetParam());
  std::vector<std::vector<int64_t>> sources;
  const at::Tensor lengths = expected.expected.at("source_mask").sum(1);
  for (int64_t row = 0; row < lengths.size(0); ++row) {
    sources.push_back(
        row_ids(expected.expected.at("source_ids")[row], lengths[row].item<int64_t>()));
  }
  GenerationOptions options;
  options.max_new_tokens = 20;
  const auto texts = generate(*opened.model, opened.tokens, starts_of(opened.tokens, sources),
                              numbers_to(std::ssize(sources)), options);
  const at::Tensor greedy = expected.expected.at("greedy");
  for (size_t row = 0; row < texts.size(); ++row) {
    const at::Tensor reference = greedy[static_cast<int64_t>(row)];
    EXPECT_EQ(texts[row], row_ids(reference, reference.ge(0).sum().item<int64_t>())) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, GreedyParity,
                         testing::Values("t5", "t5_v1_1", "t5_gated_tied", "t5_gated_silu", "bart",
                                         "bart_scaled", "gpt2", "gpt2_inner", "t5_added",
                                         "t5_v1_1_added", "bart_added", "gpt2_added"));

// transformers: the end is forced after the start, so that it wins where both are.
TEST(ForcedTokens, OfATextOfOneTokenTheEndIs) {
  data::ModelTokens tokens;
  tokens.forced_bos = 5;
  tokens.forced_eos = 6;
  EXPECT_EQ(forced_token(tokens, 0, 1), 6);
  EXPECT_EQ(forced_token(tokens, 0, 2), 5);
  EXPECT_EQ(forced_token(tokens, 1, 2), 6);
  EXPECT_EQ(forced_token(tokens, 1, 3), std::nullopt);
}

TEST(Generate, SamplesDependOnTheRowsNumberAndNotOnItsBatch) {
  const Opened opened = open_fixture("t5");
  const std::vector<std::vector<int64_t>> sources = {{5, 6, 7}, {9, 10}, {11, 4, 3, 8}};
  GenerationOptions options;
  options.max_new_tokens = 15;
  options.samples = true;
  options.sampling = {1.5, 20, 0.95};
  const auto all = generate(*opened.model, opened.tokens, starts_of(opened.tokens, sources),
                            std::vector<int64_t>{40, 41, 42}, options);
  const auto second = generate(*opened.model, opened.tokens, starts_of(opened.tokens, {sources[1]}),
                               std::vector<int64_t>{41}, options);
  EXPECT_EQ(second[0], all[1]);
  const auto other = generate(*opened.model, opened.tokens, starts_of(opened.tokens, {sources[1]}),
                              std::vector<int64_t>{43}, options);
  EXPECT_NE(other[0], all[1]);
}

}  // namespace
}  // namespace rubric::models
