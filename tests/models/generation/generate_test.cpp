#include "models/generation/generate.h"

#include "models/generation/generation_fixture.h"
#include "models/ops/output_layer.h"
#include "temporary_folder.h"

namespace rubric::models::generate_test {

class GreedyParity : public testing::TestWithParam<std::string> {};

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
INSTANTIATE_TEST_SUITE_P(Decoders, GreedyParity, testing::ValuesIn(kDecoders));

// make_generation_config.py: which of a model's two files says what, as in transformers 5.
TEST(Generate, TokensOfConfigJsonAndGenerationConfigCountAsInTransformers) {
  const at::NoGradGuard no_grad;
  const Json expected = Json::parse_file(fixture("generation/config_files.json"));
  std::vector<std::vector<int64_t>> sources;
  for (const Json& source : expected.require("sources", "").array()) sources.push_back(ids(source));
  const std::vector<int64_t> target = ids(expected.require("target", ""));
  GenerationOptions options;
  options.max_new_tokens = 6;
  int differences = 0;
  for (const Json& one : expected.require("cases", "").array()) {
    SCOPED_TRACE(one.dump());
    const TemporaryFolder folder;
    const std::string name = one.require_string("model", "");
    std::filesystem::copy_file(fixture("seq2seq/" + name + "/model.safetensors"),
                               folder.path() / "model.safetensors");
    Json config = Json::parse_file(fixture("seq2seq/" + name + "/config.json"));
    for (const auto& [key, value] : one.require("config", "").object()) config[key] = value;
    folder.write("config.json", config.dump());
    const Json& generation = one.require("generation_config", "");
    if (!generation.is_null()) folder.write("generation_config.json", generation.dump());
    const data::ModelTokens tokens = data::read_model_tokens(folder.path());
    const auto model = load_sequence_model(folder.path());

    data::TokenPairs starts;
    for (const std::vector<int64_t>& source : sources) {
      append_row(starts.sources, source);
      append_row(starts.decoder_inputs, {tokens.generation_start.value()});
    }
    const auto texts = generate(*model, tokens, starts, numbers_to(starts.rows()), options);
    for (size_t row = 0; row < texts.size(); ++row) {
      std::vector<int64_t> text = {*tokens.generation_start};
      text.insert(text.end(), texts[row].begin(), texts[row].end());
      EXPECT_EQ(text, ids(one.require("5", "").array()[row]));
    }
    differences += one.require("4", "").dump() != one.require("5", "").dump() ? 1 : 0;

    data::TokenPairs pair;
    append_row(pair.sources, sources[0]);
    std::vector<int64_t> inputs = {tokens.decoder_start.value()};
    inputs.insert(inputs.end(), target.begin(), target.end() - 1);
    append_row(pair.decoder_inputs, inputs);
    pair.targets = target;
    const double loss =
        target_cross_entropy(model->states(pair, {}), model->output(), target).item<double>();
    EXPECT_NEAR(-loss / static_cast<double>(target.size()), one.require_number("likelihood", ""),
                1e-5);
  }
  EXPECT_EQ(differences, 6);  // all where `_from_model_config` is true
}

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

}  // namespace rubric::models::generate_test
