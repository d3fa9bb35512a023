#include "data/model_files/model_tokens.h"

#include "cases.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::model_tokens_test {

struct ModelTokensFiles : testing::Test {
  ModelTokens read(const std::string& config) const {
    folder_.write("config.json", config);
    return read_model_tokens(folder_.path());
  }
  std::string refusal(const std::string& config) const {
    return input_error([&] { read(config); });
  }

  TemporaryFolder folder_;
};

using Ids = std::vector<int64_t>;

TEST_F(ModelTokensFiles, OfT5) {
  const ModelTokens tokens = read(
      R"({"model_type": "t5", "eos_token_id": 1, "decoder_start_token_id": 0, "n_positions": 512})");
  EXPECT_EQ(tokens.eos, 1);
  EXPECT_EQ(tokens.eos_ids, Ids{1});
  EXPECT_EQ(tokens.decoder_start, 0);
  EXPECT_FALSE(tokens.bos || tokens.forced_bos || tokens.forced_eos);
  EXPECT_EQ(tokens.max_positions, 0);  // T5 counts no positions, whatever n_positions says
  EXPECT_FALSE(tokens.is_causal);
}

// transformers' BartConfig forces the end unless config.json says otherwise.
TEST_F(ModelTokensFiles, OfBart) {
  const std::string start =
      R"({"model_type": "bart", "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2,
          "max_position_embeddings": 64)";
  const ModelTokens tokens = read(start + "}");
  EXPECT_EQ(tokens.bos, 0);
  EXPECT_EQ(tokens.max_positions, 64);
  EXPECT_EQ(tokens.forced_eos, 2);
  EXPECT_FALSE(tokens.forced_bos);
  EXPECT_FALSE(read(start + R"(, "forced_eos_token_id": null})").forced_eos);
  EXPECT_EQ(read(start + R"(, "forced_bos_token_id": 0})").forced_bos, 0);
}

TEST_F(ModelTokensFiles, OfGpt2WithoutADecoderStart) {
  const ModelTokens tokens =
      read(R"({"model_type": "gpt2", "bos_token_id": 7, "eos_token_id": 7, "n_positions": 40})");
  EXPECT_TRUE(tokens.is_causal);
  EXPECT_FALSE(tokens.decoder_start);
  EXPECT_EQ(tokens.max_positions, 40);
}

TEST_F(ModelTokensFiles, WhatGenerationConfigSaysCountsFirst) {
  folder_.write("generation_config.json",
                R"({"eos_token_id": [5, 6], "decoder_start_token_id": 4})");
  const ModelTokens tokens = read(
      R"({"model_type": "bart", "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2,
          "forced_eos_token_id": 2, "max_position_embeddings": 64})");
  EXPECT_EQ(tokens.eos_ids, (Ids{5, 6}));
  EXPECT_EQ(tokens.eos, 5);
  EXPECT_EQ(tokens.generation_start, 4);
  EXPECT_EQ(tokens.decoder_start, 2);  // of a given target, of which generating knows nothing
  EXPECT_EQ(tokens.bos, 0);
  EXPECT_FALSE(tokens.forced_eos);  // forced by generation_config.json alone, where there is one
}

// make_generation_config.py: such a model writes on in transformers, too.
TEST_F(ModelTokensFiles, TheEndsOfAWrittenTextAreGenerationConfigsAlone) {
  const std::string config =
      R"({"model_type": "t5", "eos_token_id": [2, 84], "decoder_start_token_id": 0})";
  EXPECT_EQ(read(config).eos_ids, (Ids{2, 84}));
  for (const char* const generation :
       {R"({"pad_token_id": 0})", R"({"pad_token_id": 0, "eos_token_id": null})"}) {
    folder_.write("generation_config.json", generation);
    EXPECT_EQ(read(config).eos_ids, Ids());
    EXPECT_EQ(read(config).eos, 2);  // of given targets
  }
}

TEST_F(ModelTokensFiles, AnEarlyBartForcesItsStart) {
  const std::string config =
      R"("bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2,
         "forced_bos_token_id": null, "force_bos_token_to_be_generated": true, "max_position_embeddings": 64})";
  EXPECT_EQ(read(R"({"model_type": "bart", )" + config).forced_bos, 0);
  EXPECT_FALSE(read(R"({"model_type": "t5", )" + config).forced_bos);
}

TEST_F(ModelTokensFiles, RefusesWhatIsMissingOrNoId) {
  const std::string where = folder_.file("config.json");
  for (const auto& [config, part] :
       cases<std::string, std::string>("data/model_files/model_tokens.json", "refused")) {
    const std::string message = refusal(config);
    expect_says(message, {part, where});
  }
  folder_.write("generation_config.json", R"({"bos_token_id": -3})");
  expect_contains(refusal(R"({"model_type": "gpt2", "eos_token_id": 1})"),
                  "generation_config.json");
}

}  // namespace rubric::data::model_tokens_test
