#include "models/encoders/encoder.h"

#include <algorithm>
#include <tuple>

#include "core/files/files.h"
#include "core/json/json.h"
#include "messages.h"
#include "models/encoders/bert.h"
#include "models/encoders/modernbert.h"
#include "models/fixture.h"
#include "models/weights/weights.h"
#include "temporary_folder.h"

namespace rubric::models::encoder_test {

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
  const BertConfig config = read_bert_config(roberta, kRoberta);
  EXPECT_EQ(config.first_position, 2);
  EXPECT_EQ(config.longest_row(), 64);
  EXPECT_EQ(read_bert_config(bert, kBert).first_position, 0);
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
  const BertConfig config = read_bert_config(fields, kMpnet);
  EXPECT_EQ(config.pad_token_id, 1);
  EXPECT_EQ(config.longest_row(), 148);
}

// What a kind alone has.
TEST(ReadBertConfig, OtherKindsHaveTheirFields) {
  const auto error = [](const std::string& before, const std::string& after,
                        const std::string& model) {
    return config_error(before, after, "encoders/" + model);
  };
  expect_contains(error("\"embedding_size\": 8", "\"embedding_size\": 0", "electra"),
                  "embedding_size is 0");
  expect_contains(error("\"activation\": \"gelu\"", "\"activation\": \"silu\"", "distilbert"),
                  "activation \"silu\" is not supported");
  expect_contains(error("\"n_heads\": 3", "\"n_heads\": 5", "distilbert"),
                  "dim is not a multiple of n_heads");
  expect_contains(error("\"input_embedding_size\": 6", "\"input_embedding_size\": -1", "rembert"),
                  "input_embedding_size is -1");
  expect_contains(error("\"input_embedding_size\"",
                        "\"is_decoder\": true, \"input_embedding_size\"", "rembert"),
                  "is_decoder is true");
}

// The forms of transformers 4 and 5.
TEST(ReadModernBertConfig, SettingsThatWeDoNotHaveAreNamed) {
  const auto error = [](const std::string& before, const std::string& after) {
    return config_error(before, after, "encoders/modernbert");
  };
  EXPECT_EQ(error("{",
                  "{\"layer_types\": [\"full_attention\", \"sliding_attention\", "
                  "\"full_attention\", \"sliding_attention\", \"full_attention\"],"),
            "accepted");
  expect_contains(error("{", "{\"layer_types\": [\"full_attention\"],"),
                  "layer_types has 1 elements, not 5");
  expect_contains(error("{", "{\"layer_types\": [\"full_attention\", \"a\", \"a\", \"a\", \"a\"],"),
                  "layer_types \"a\"");
  expect_contains(error("{", "{\"rope_scaling\": {\"rope_type\": \"yarn\"},"), "rope_scaling");
  expect_contains(
      error("{", "{\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"yarn\"}},"),
      "rope_type \"yarn\" is not supported");
  expect_contains(error("{", "{\"rope_parameters\": 7,"), "rope_parameters");
  expect_contains(error("{", "{\"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 4},"),
                  "rope_type \"linear\"");
  expect_contains(error("\"hidden_activation\": \"gelu\"", "\"hidden_activation\": \"mish\""),
                  "hidden_activation \"mish\"");
  expect_contains(error("\"num_attention_heads\": 3", "\"num_attention_heads\": 4"), "even size");
  expect_contains(error("\"global_rope_theta\": 300.0", "\"global_rope_theta\": 0"),
                  "global_rope_theta is 0; it must be above 0");
}

TEST(ReadModernBertConfig, TransformersFiveSaysTheSame) {
  ConfigFields of_4(fixture("encoders/modernbert")), of_5(fixture("encoders/modernbert_5"));
  const ModernBertConfig before = read_modernbert_config(of_4),
                         after = read_modernbert_config(of_5);
  EXPECT_EQ(after.is_global, before.is_global);
  EXPECT_EQ(after.local_attention, before.local_attention);
  EXPECT_EQ(before.global_rope_theta, 300);
  EXPECT_EQ(before.local_rope_theta, 20);
  EXPECT_EQ(after.global_rope_theta, 300);
  EXPECT_EQ(after.local_rope_theta, 20);
}

// A small BERT with more tensors than it has, with or without "bert." before its own.
struct EncoderFiles : testing::Test {
  void write(const std::string& model, const std::vector<std::string>& more) const {
    std::filesystem::remove_all(folder_.path());
    std::filesystem::create_directories(folder_.path());
    const std::filesystem::path from = fixture("bert/" + model);
    std::filesystem::copy_file(from / "config.json", folder_.path() / "config.json");
    NamedTensors weights = read_weights(from);
    for (const std::string& name : more) {
      if (find_tensor(weights, name) == nullptr) weights.emplace_back(name, at::ones({2}));
    }
    write_weights(folder_.path(), weights);
  }
  LoadedEncoder load(const std::vector<std::string>& heads = {}) const {
    return load_encoder(folder_.path(), heads);
  }
  std::string said() const {
    return stderr_of([&] { load(); });
  }
  std::string refusal() const {
    return input_error([&] { load(); });
  }

  TemporaryFolder folder_;
};

// Heads of question answering, of classifiers, of reward models, and what a user named.
TEST_F(EncoderFiles, WhatStandsOutsideTheModelIsLeftOutWithOneLine) {
  for (const char* const model : {"gelu", "prefixed"}) {
    write(model, {"qa_outputs.weight", "score.weight", "linear.bias", "classifier.out_proj.weight",
                  "v_head.summary.weight", "mine"});
    const std::string line = said();
    EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
    expect_contains(line,
                    folder_.path().string() + ": left out are weights outside of the model: ");
    for (const char* const name : {"qa_outputs.weight", "score.weight", "linear.bias",
                                   "classifier.out_proj.weight", "v_head.summary.weight", "mine"}) {
      expect_contains(line, name);
    }
    const auto rest = load({"score.weight"}).rest;
    ASSERT_EQ(rest.size(), 1u);
    EXPECT_EQ(rest[0].first, "score.weight");
  }
}

// Of two encoders in one file the model is the one with its prefix, whatever the other is called.
TEST_F(EncoderFiles, AnotherEncoderBesideThePrefixIsLeftOut) {
  write("prefixed", {});
  const NamedTensors own = load().encoder->tensors();
  for (const std::string prefix : {"", "roberta.", "teacher."}) {
    write("prefixed", {prefix + "encoder.layer.0.more"});
    NamedTensors weights = read_weights(folder_.path()), both;
    for (const auto& [name, tensor] : weights) {
      if (name.starts_with("bert.")) both.emplace_back(prefix + name.substr(5), tensor + 1);
    }
    both.insert(both.end(), weights.begin(), weights.end());
    write_weights(folder_.path(), both);
    expect_contains(said(), "left out are weights outside of the model: ");
    const NamedTensors read = load().encoder->tensors();
    for (size_t i = 0; i < own.size(); ++i) {
      EXPECT_TRUE(at::equal(read[i].second, own[i].second)) << own[i].first;
    }
  }
}

// A tensor with a prefix does not make it the prefix of the model's, which has none.
TEST_F(EncoderFiles, ATensorLeftOverFromAnotherModelDecidesNothing) {
  write("gelu", {});
  const NamedTensors own = load().encoder->tensors();
  for (const char* const left_over : {"bert.x", "roberta.x", "deberta.x"}) {
    write("gelu", {left_over});
    expect_contains(said(), "left out are weights outside of the model: ");
    const NamedTensors read = load().encoder->tensors();
    for (size_t i = 0; i < own.size(); ++i) {
      EXPECT_TRUE(at::equal(read[i].second, own[i].second)) << own[i].first;
    }
  }
}

// Of a wrapper: DistributedDataParallel, torch.compile, a model of sentence-transformers.
TEST_F(EncoderFiles, APrefixOfAllNamesIsNamed) {
  for (const std::string prefix : {"module.", "_orig_mod.", "0.auto_model."}) {
    write("gelu", {});
    NamedTensors weights = read_weights(folder_.path());
    for (auto& [name, tensor] : weights) name = prefix + name;
    write_weights(folder_.path(), weights);
    expect_contains(refusal(), "names that begin with \"" + prefix + "\"");
    EXPECT_FALSE(holds(refusal(), "is missing")) << refusal();
  }
}

TEST_F(EncoderFiles, DerivedBuffersAndHeadsOfPretrainingAreLeftOutInSilence) {
  const std::vector<std::string> names = {"embeddings.position_ids", "pooler.dense.weight",
                                          "embeddings.token_type_ids",
                                          "encoder.layer.0.attention.rotary_emb.inv_freq"};
  write("gelu", names);
  EXPECT_EQ(said(), "");
  std::vector<std::string> prefixed = {"cls.mine.bias", "lm_head.mine.bias"};
  for (const std::string& name : names) prefixed.push_back("bert." + name);
  write("prefixed", prefixed);
  EXPECT_EQ(said(), "");
}

// A part that we do not compute would change the numbers.
TEST_F(EncoderFiles, WhatStandsInsideTheModelIsRefused) {
  for (const auto& [model, name, told] :
       {std::tuple("gelu", "encoder.layer.7.output.dense.bias",
                   "encoder.layer.7.output.dense.bias"),
        {"gelu", "embeddings.more.weight", "embeddings.more.weight"},
        {"prefixed", "bert.adapter.weight", "adapter.weight"},
        {"prefixed", "bert.qa_outputs.weight", "qa_outputs.weight"},
        {"prefixed", "bert.lm_head.bias", "lm_head.bias"}}) {
    write(model, {name});
    expect_contains(refusal(), std::string("tensors that this model does not have: ") + told);
    expect_contains(refusal(), folder_.path().string());
  }
}

}  // namespace rubric::models::encoder_test
