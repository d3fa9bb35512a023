#include "models/encoders/encoder.h"

#include "core/files/files.h"
#include "core/json/json.h"
#include "messages.h"
#include "models/encoders/bert.h"
#include "models/fixture.h"
#include "temporary_folder.h"

namespace rubric::models {
namespace {

// What config.json of the tiny RoBERTa, or of another model, says after `before` became `after`.
std::string config_error(const std::string& before, const std::string& after,
                         const std::string& model = "bert/roberta") {
  const TemporaryFolder folder;
  std::string text = read_file(fixture(model + "/config.json"));
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  write_file(folder.file("config.json"), text.replace(at, before.size(), after));
  return input_error([&] { read_encoder_config(folder.path()); });
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
  ConfigFields roberta(fixture("bert/roberta")), bert(fixture("bert/gelu"));
  const BertConfig config = read_roberta_config(roberta);
  EXPECT_EQ(config.first_position, 2);
  EXPECT_EQ(config.longest_row(), 64);
  EXPECT_EQ(read_bert_config(bert).first_position, 0);
}

// transformers' code has these numbers, whatever config.json says.
TEST(ReadBertConfig, MpnetHasItsPaddingAndItsBuckets) {
  const auto error = [](const std::string& before, const std::string& after) {
    return config_error(before, after, "bert/mpnet");
  };
  expect_contains(
      error("\"relative_attention_num_buckets\": 32", "\"relative_attention_num_buckets\": 16"),
      "relative_attention_num_buckets is 16, not 32");
  EXPECT_EQ(error("\"pad_token_id\": 1", "\"pad_token_id\": 0"), "accepted");
  std::string text = read_file(fixture("bert/mpnet/config.json"));
  text.replace(text.find("\"pad_token_id\": 1"), 17, "\"pad_token_id\": 0");
  ConfigFields fields(Json::parse(text, "here"), "here");
  const BertConfig config = read_mpnet_config(fields);
  EXPECT_EQ(config.pad_token_id, 1);
  EXPECT_EQ(config.longest_row(), 148);
}

}  // namespace
}  // namespace rubric::models
