#include "models/encoders/encoder.h"

#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "paths.h"

namespace rubric::models {
namespace {

namespace fs = std::filesystem;

TEST(RequireFit, ATokenizerLargerThanTheModelIsRefused) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& more) {
    const fs::path directory = changed_lerc(folder, "vocab.txt", more);
    const std::vector<std::string> head = {"score_layer.weight", "score_layer.bias"};
    return input_error([&] {
      require_fit(load_encoder(directory, head).model, *text::open_tokenizer(directory), directory);
    });
  };
  EXPECT_EQ(problem(""), "accepted");
  expect_contains(problem("onemore\n"), "use the tokenizer files that belong to the model");
}

TEST(RequireFit, ATokenizerWithoutTokensAroundARowIsRefused) {
  const LoadedEncoder encoder = load_encoder(minilm_folder(), {});
  expect_contains(input_error([&] {
                    require_fit(encoder.model, *text::open_tokenizer(fixture("byte_bpe/gpt2")),
                                "here");
                  }),
                  "no token that begins a row");
}

// What config.json of the tiny RoBERTa says after `before` became `after`.
std::string config_error(const std::string& before, const std::string& after) {
  const TemporaryFolder folder;
  std::string text = read_file(fixture("bert/roberta/config.json"));
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  write_file(folder.file("config.json"), text.replace(at, before.size(), after));
  return input_error([&] { read_bert_config(folder.file("config.json")); });
}

TEST(ReadBertConfig, OtherArchitecturesAreRefusedByName) {
  EXPECT_EQ(config_error("\"roberta\"", "\"roberta\""), "accepted");
  expect_contains(config_error("\"roberta\"", "\"roberta-prelayernorm\""),
                  "the model is a \"roberta-prelayernorm\"; this version runs \"bert\"");
  expect_contains(config_error("\"absolute\"", "\"relative_key\""), "\"relative_key\"");
  expect_contains(config_error("\"hidden_act\"", "\"is_decoder\": true, \"hidden_act\""),
                  "is_decoder is true");
  expect_contains(config_error("\"max_position_embeddings\": 66", "\"max_position_embeddings\": 2"),
                  "no position behind that of padding");
}

TEST(ReadBertConfig, RobertaCountsPositionsBehindThatOfPadding) {
  const BertConfig config = read_bert_config(fixture("bert/roberta/config.json"));
  EXPECT_EQ(config.first_position, 2);
  EXPECT_EQ(config.longest_row(), 64);
  EXPECT_EQ(read_bert_config(fixture("bert/gelu/config.json")).first_position, 0);
}

}  // namespace
}  // namespace rubric::models
