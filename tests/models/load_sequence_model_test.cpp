#include <tuple>

#include "core/json/json.h"
#include "messages.h"
#include "models/ops/output_layer.h"
#include "models/seq2seq_fixture.h"
#include "models/sequence_model.h"
#include "models/weights/pickles.h"
#include "models/weights/weights.h"
#include "models/weights/zips.h"
#include "temporary_folder.h"

namespace rubric::models::load_sequence_model_test {

// A model of the fixtures whose files a test may change.
struct ConditionalModelFiles : testing::Test {
  NamedTensors copy(const std::string& name) const {
    fs::remove_all(folder_.path());
    fs::create_directories(folder_.path());
    for (const char* file : {"config.json", "generation_config.json"}) {
      fs::copy_file(fixture("seq2seq/" + name) / file, folder_.path() / file);
    }
    return read_weights(fixture("seq2seq/" + name));
  }
  void set(const std::string& field, double value) const {  // in config.json
    Json config = Json::parse_file(folder_.path() / "config.json");
    config[field] = value;
    folder_.write("config.json", config.dump());
  }
  void write(const NamedTensors& weights) const {
    fs::remove(folder_.path() / "model.safetensors");
    write_weights(folder_.path(), weights);
  }
  std::string refusal() const {
    return input_error([&] { load_sequence_model(folder_.path()); });
  }
  void expect_logits(const std::string& name) const {
    const at::NoGradGuard no_grad;
    const Seq2SeqFixture fixture = seq2seq_fixture(name);
    const auto model = load_sequence_model(folder_.path());
    EXPECT_LT(difference(
                  logits(model->states(fixture.pairs, {}), model->output()),
                  packed_rows(fixture.expected.at("logits"), fixture.pairs.decoder_inputs.offsets)),
              1e-5);
  }

  TemporaryFolder folder_;
};

// Without "model." and "transformer.", as the first published checkpoints have them.
TEST_F(ConditionalModelFiles, OldNamesAreToday) {
  for (const auto& [name, prefix] : std::vector<std::pair<std::string, std::string>>{
           {"bart", "model."}, {"gpt2", "transformer."}}) {
    NamedTensors weights = copy(name);
    for (auto& [key, tensor] : weights) {
      if (key.starts_with(prefix)) key.erase(0, prefix.size());
    }
    write(weights);
    expect_logits(name);
  }
}

// safetensors saves what is tied once, under any of its names.
TEST_F(ConditionalModelFiles, ATiedEmbeddingMayHaveAnyOfItsNames) {
  for (const auto& [model, before, after] :
       {std::tuple("t5", "shared.weight", "encoder.embed_tokens.weight"),
        {"bart", "model.shared.weight", "model.decoder.embed_tokens.weight"},
        {"gpt2", "transformer.wte.weight", "lm_head.weight"}}) {
    NamedTensors weights = copy(model);
    for (auto& [name, tensor] : weights) {
      if (name == before) name = after;
    }
    write(weights);
    expect_logits(model);
  }
}

TEST_F(ConditionalModelFiles, RepeatedAndUnusedTensorsAreNoHindrance) {
  NamedTensors t5 = copy("t5");
  const at::Tensor shared = *find_tensor(t5, "shared.weight");
  for (const char* name :
       {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"}) {
    t5.emplace_back(name, shared.clone());
  }
  t5.emplace_back("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",
                  at::zeros({32, 2}));
  write(t5);
  expect_logits("t5");

  NamedTensors bart = copy("bart");
  const at::Tensor embedding = *find_tensor(bart, "model.shared.weight");
  for (const char* name : {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
                           "lm_head.weight"}) {
    bart.emplace_back(name, embedding.clone());
  }
  bart.emplace_back("model.encoder.version", at::ones({1}));
  write(bart);
  expect_logits("bart");

  NamedTensors gpt2 = copy("gpt2");
  gpt2.emplace_back("lm_head.weight", find_tensor(gpt2, "transformer.wte.weight")->clone());
  for (const char* layer : {"0", "1"}) {
    const std::string name = std::string("transformer.h.") + layer + ".attn.";
    gpt2.emplace_back(name + "bias", at::ones({1, 1, 40, 40}, at::kByte));
    gpt2.emplace_back(name + "masked_bias", at::full({}, -1e4));
  }
  write(gpt2);
  expect_logits("gpt2");
}

// Heads of classifiers, of question answering, value heads of reinforcement learning.
TEST_F(ConditionalModelFiles, WhatStandsOutsideTheModelIsLeftOutWithOneLine) {
  for (const auto& [model, head] : {std::tuple("t5", "v_head.summary.weight"),
                                    {"t5", "classification_head.dense.weight"},
                                    {"bart", "classification_head.out_proj.bias"},
                                    {"bart", "qa_outputs.weight"},
                                    {"gpt2", "score.weight"},
                                    {"gpt2", "multiple_choice_head.summary.bias"}}) {
    for (const char* const prefix : {"", "model.", "transformer."}) {  // that the file lacks
      NamedTensors weights = copy(model);
      for (auto& [name, tensor] : weights) {
        if (name.starts_with(prefix)) name.erase(0, std::string(prefix).size());
      }
      weights.emplace_back(head, at::ones({2}));
      write(weights);
      testing::internal::CaptureStderr();
      expect_logits(model);
      EXPECT_EQ(
          testing::internal::GetCapturedStderr(),
          folder_.path().string() + ": left out are weights outside of the model: " + head + "\n");
    }
  }
  NamedTensors weights = copy("t5");  // a classifier's names
  for (auto& [name, tensor] : weights) name = "transformer." + name;
  write(weights);
  expect_logits("t5");
}

TEST_F(ConditionalModelFiles, AnotherModelsEmbeddingIsNotComparedWithTheOwn) {
  for (const char* const model : {"t5", "bart"}) {
    NamedTensors weights = copy(model);
    weights.emplace_back("teacher.encoder.embed_tokens.weight", at::ones({2}));
    write(weights);
    expect_logits(model);
  }
}

TEST_F(ConditionalModelFiles, WhatStandsInsideTheModelIsRefused) {
  for (const auto& [model, name] : {std::tuple("t5", "decoder.block.0.layer.1.more"),
                                    {"t5", "lm_head.bias"},
                                    {"bart", "model.adapter.weight"},
                                    {"bart", "model.encoder.layers.0.more.bias"},
                                    {"bart", "model.classification_head.bias"},
                                    {"gpt2", "transformer.h.0.more.weight"},
                                    {"gpt2", "lm_head.bias"},
                                    {"gpt2", "final_logits_bias"}}) {
    NamedTensors weights = copy(model);
    weights.emplace_back(name, at::ones({2}));
    write(weights);
    expect_contains(refusal(), std::string("tensors that this model does not have: ") + name);
  }
  // Without "transformer.", where the first part tells.
  NamedTensors weights = copy("gpt2");
  for (auto& [name, tensor] : weights) name.erase(0, std::string("transformer.").size());
  weights.emplace_back("h.0.more.weight", at::ones({2}));
  write(weights);
  expect_contains(refusal(), "h.0.more.weight");
}

// transformers 4 takes the one, transformers 5 the other.
TEST_F(ConditionalModelFiles, TiedTensorsThatDifferAreRefused) {
  for (const auto& [model, name, embedding] :
       {std::tuple("t5", "lm_head.weight", "shared.weight"),
        {"bart", "model.decoder.embed_tokens.weight", "model.shared.weight"},
        {"gpt2", "lm_head.weight", "transformer.wte.weight"}}) {
    NamedTensors weights = copy(model);
    weights.emplace_back(name, *find_tensor(weights, embedding) + 1);
    write(weights);
    expect_contains(refusal(), std::string(name) + " differs from " + embedding);
  }
  // Only where it leads to a model that is read.
  for (const std::string model : {"t5", "bart"}) {
    NamedTensors weights = copy(model);
    const std::string embedding = model == "t5" ? "shared.weight" : "model.shared.weight";
    weights.emplace_back("lm_head.weight", *find_tensor(weights, embedding) + 1);
    write(weights);
    EXPECT_EQ(holds(refusal(), "tie_word_embeddings"), model == "t5") << refusal();
  }
}

// Of a wrapper: DistributedDataParallel, torch.compile, a model with a value head.
TEST_F(ConditionalModelFiles, APrefixOfAllNamesIsNamed) {
  for (const std::string model : {"t5", "bart", "gpt2"}) {
    for (const std::string prefix : {"module.", "_orig_mod.", "pretrained_model.", "0.a."}) {
      NamedTensors weights = copy(model);
      for (auto& [name, tensor] : weights) name = prefix + name;
      write(weights);
      expect_contains(refusal(), "names that begin with \"" + prefix + "\"");
      EXPECT_FALSE(holds(refusal(), "is missing")) << refusal();
    }
  }
}

// A head of its own is read where the configuration says that there is one.
TEST_F(ConditionalModelFiles, AnUntiedHeadIsNeeded) {
  NamedTensors weights = copy("t5_v1_1");
  std::erase_if(weights, [](const auto& tensor) { return tensor.first == "lm_head.weight"; });
  write(weights);
  expect_says(refusal(), {"lm_head.weight", folder_.path().string()});
}

TEST_F(ConditionalModelFiles, BartsBiasOfLogitsMayBeMissing) {
  NamedTensors weights = copy("bart");
  std::erase_if(weights, [](const auto& tensor) { return tensor.first == "final_logits_bias"; });
  write(weights);
  const auto model = load_sequence_model(folder_.path());
  EXPECT_TRUE(at::equal(model->output().bias, at::zeros({50})));
}

TEST_F(ConditionalModelFiles, PickledWeightsAreRead) {
  std::string pickle = kProto2 + "}";
  std::vector<std::pair<std::string, std::string>> entries = {{"data.pkl", ""}};
  for (const auto& [name, tensor] : copy("t5")) {
    const std::string key = std::to_string(entries.size());
    const at::Tensor values = tensor.contiguous();
    pickle += item(name, key, {values.numel(), 0, values.sizes().vec(), values.strides().vec()});
    entries.emplace_back("data/" + key,
                         std::string(static_cast<const char*>(values.const_data_ptr()),
                                     static_cast<size_t>(values.nbytes())));
  }
  entries[0].second = pickle + kStop;
  folder_.write("pytorch_model.bin", zip(entries));
  expect_logits("t5");
}

TEST_F(ConditionalModelFiles, WhatDoesNotFitIsNamed) {
  NamedTensors weights = copy("t5");
  EXPECT_TRUE(holds(refusal(), "no weights")) << refusal();
  weights.emplace_back("encoder.block.7.surplus", at::ones({1}));
  write(weights);
  expect_contains(refusal(), "encoder.block.7.surplus");
  weights.pop_back();
  for (auto& [name, tensor] : weights) {
    if (name == "decoder.final_layer_norm.weight") tensor = at::ones({15});
  }
  write(weights);
  expect_contains(refusal(), "decoder.final_layer_norm.weight");

  copy("t5");  // the weights of another architecture under T5's configuration
  write(read_weights(fixture("bert/gelu")));
  expect_contains(refusal(), "shared.weight");
  fs::remove(folder_.path() / "config.json");
  fs::copy_file(fixture("bert/gelu/config.json"), folder_.path() / "config.json");
  expect_contains(refusal(), "the model is a \"bert\", which is not one of the supported models");
  expect_contains(refusal(), "\"t5\", \"mt5\", \"bart\", \"gpt2\"");
}

// In training transformers would leave out layers at random.
TEST_F(ConditionalModelFiles, LayerdropIsRefused) {
  for (const std::string field : {"encoder_layerdrop", "decoder_layerdrop"}) {
    copy("bart");
    set(field, 0.1);
    expect_contains(refusal(), field + " is above 0");
  }
}

class GrownVocabulary : public testing::TestWithParam<const char*> {};

// What is there stays as it is; transformers adds zeros to BART's bias of the logits.
TEST_P(GrownVocabulary, LeavesTheOldTokensAsTheyWere) {
  const at::NoGradGuard no_grad;
  const std::string name = GetParam();
  const auto model = load_sequence_model(fixture("seq2seq/" + name));
  const auto before = load_sequence_model(fixture("seq2seq/" + name));
  const int64_t size = before->vocabulary_size(), more = size + 7;
  model->resize_vocabulary(more, 5);
  EXPECT_EQ(model->vocabulary_size(), more);
  const NamedTensors old = named_tensors(before->parameters()),
                     grown = named_tensors(model->parameters());
  ASSERT_EQ(grown.size(), old.size());
  int tables = 0;
  for (size_t i = 0; i < old.size(); ++i) {
    ASSERT_EQ(grown[i].first, old[i].first);
    const at::Tensor& values = grown[i].second;
    if (values.size(0) == more) ++tables;
    EXPECT_TRUE(at::equal(values.narrow(0, 0, old[i].second.size(0)), old[i].second))
        << old[i].first;
  }
  EXPECT_EQ(tables, name == "t5_v1_1" ? 2 : 1);  // the head's rows too, tied or not
  const Seq2SeqFixture rows = seq2seq_fixture(name);
  const at::Tensor logits_before = logits(before->states(rows.pairs, {}), before->output());
  const at::Tensor logits_after = logits(model->states(rows.pairs, {}), model->output());
  EXPECT_EQ(logits_after.size(1), more);
  EXPECT_LT(difference(logits_after.narrow(1, 0, size), logits_before), 1e-6);
  for (const auto& [buffer, values] : model->buffers()) {
    EXPECT_EQ(buffer, "final_logits_bias");
    EXPECT_TRUE(at::equal(values.narrow(1, size, 7), at::zeros({1, 7})));
  }
  EXPECT_EQ(model->buffers().size(), name == "bart" ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(Variants, GrownVocabulary,
                         testing::Values("t5", "t5_v1_1", "bart", "gpt2"));

// As transformers' _init_weights: what config.json says of their deviation, and zeros for padding.
TEST_F(ConditionalModelFiles, NewWeightsAreAsConfigJsonSays) {
  struct Case {
    std::string model, field, embedding;
    double deviation;
  };
  for (const auto& [model, field, embedding, deviation] :
       {Case{"t5", "initializer_factor", "shared.weight", 0.25},
        {"bart", "init_std", "model.shared.weight", 0.4},
        {"gpt2", "initializer_range", "transformer.wte.weight", 0.3}}) {
    copy(model);
    set(field, deviation);
    const NamedTensors made = named_tensors(new_sequence_model(folder_.path(), 1)->parameters());
    const at::Tensor* const table = find_tensor(made, embedding);
    ASSERT_NE(table, nullptr) << embedding;
    const at::Tensor rest = table->narrow(0, 2, table->size(0) - 2);
    EXPECT_NEAR(rest.std().item<double>(), deviation, 0.1 * deviation) << model;
    // The padding of BART, alone of the three, is a row of zeros: id 1.
    EXPECT_EQ((*table)[1].abs().sum().item<double>() == 0, model == "bart") << model;
    EXPECT_NE((*table)[0].abs().sum().item<double>(), 0) << model;
  }
}

TEST(NewConditionalModel, IsAFunctionOfTheSeed) {
  for (const char* name : {"t5", "t5_v1_1", "bart", "gpt2"}) {
    const fs::path directory = fixture(std::string("seq2seq/") + name);
    const auto prints = [&](uint64_t seed) {
      return fingerprint(named_tensors(new_sequence_model(directory, seed)->parameters()));
    };
    EXPECT_EQ(prints(1), prints(1)) << name;
    EXPECT_NE(prints(1), prints(2)) << name;
    const auto model = new_sequence_model(directory, 1);
    const at::NoGradGuard no_grad;
    const Seq2SeqFixture rows = seq2seq_fixture(name);
    EXPECT_TRUE(
        logits(model->states(rows.pairs, {}), model->output()).isfinite().all().item<bool>());
  }
}

}  // namespace rubric::models::load_sequence_model_test
