#include "models/encoders/bert.h"

#include "core/json/json.h"
#include "messages.h"
#include "models/encoders/encoder.h"
#include "models/fixture.h"
#include "paths.h"

namespace rubric::models::bert_test {

// tests/fixtures/make_bert.py: transformers' BertModel on a padded batch.
struct BertParity : testing::TestWithParam<const char*> {
  void SetUp() override {
    const std::string name = GetParam();
    const std::string reference = name == "legacy"                           ? "prefixed"
                                  : name == "roberta_lm"                     ? "roberta"
                                  : name == "mpnet_lm"                       ? "mpnet"
                                  : name.substr(0, name.find('_')) == "relu" ? "relu"
                                                                             : name;
    expected_ = fixture_tensors("bert/" + reference + "/expected.safetensors");
    lengths_ = expected_.at("attention_mask").sum(1);
    tokens_ = pack_padded(expected_.at("input_ids"), expected_.at("token_type_ids"), lengths_);
  }

  // The packed rows of a padded reference tensor [rows, width, …].
  at::Tensor packed(const at::Tensor& padded) const {
    std::vector<at::Tensor> rows;
    for (int64_t row = 0; row < padded.size(0); ++row) {
      rows.push_back(padded[row].narrow(0, 0, lengths_[row].item<int64_t>()));
    }
    return at::cat(rows);
  }

  std::map<std::string, at::Tensor> expected_;
  at::Tensor lengths_;
  PackedTokens tokens_;
};

TEST_P(BertParity, HiddenStatesEqualTransformers) {
  const auto encoder = load_encoder(fixture("bert/" + std::string(GetParam())), {}).encoder;
  const at::Tensor& reference = expected_.at("hidden_states");
  ASSERT_EQ(encoder->limits().layers + 1, reference.size(0));
  for (int64_t i = 0; i < reference.size(0); ++i) {
    const at::Tensor state = encoder->hidden_states(tokens_, i, {});
    EXPECT_LT(difference(state, packed(reference[i])), 1e-5) << "layer " << i;
  }
  const at::Tensor first = reference[-1].select(1, 0);
  EXPECT_LT(difference(encoder->cls_states(tokens_, {}), first), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BertParity,
                         testing::Values("gelu", "gelu_new", "relu", "relu_sharded", "relu_bin",
                                         "relu_bin_views", "prefixed", "legacy", "roberta",
                                         "roberta_lm", "xlm_roberta", "mpnet", "mpnet_lm"));

// make_bert.py: a published model's states, and the norm and the first numbers of its gradients.
void expect_published(const std::string& file, const std::filesystem::path& directory,
                      double tolerance) {
  const auto expected = fixture_tensors(file);
  const PackedTokens tokens =
      pack_padded(expected.at("input_ids"), expected.at("token_type_ids"), expected.at("lengths"));
  const auto encoder = load_encoder(directory, {}).encoder;
  auto parameters = encoder->tensors();
  for (auto& [name, tensor] : parameters) tensor.set_requires_grad(true);

  const at::Tensor starts =
      at::tensor(at::IntArrayRef(tokens.offsets.data(), tokens.offsets.size() - 1), at::kLong);
  const at::Tensor ends = starts + expected.at("lengths") - 1;
  for (int64_t i = 0; i <= encoder->limits().layers; ++i) {
    const at::Tensor state = encoder->hidden_states(tokens, i, {});
    EXPECT_LT(difference(state.index_select(0, starts), expected.at("first")[i]), tolerance);
    EXPECT_LT(difference(state.index_select(0, ends), expected.at("last")[i]), tolerance);
  }
  (encoder->cls_states(tokens, {}) * expected.at("w")).sum().backward();
  for (const auto& [name, tensor] : parameters) {
    const at::Tensor gradient = tensor.grad();
    const at::Tensor actual = at::cat({gradient.norm(2, at::kDouble).to(at::kFloat).reshape({1}),
                                       gradient.reshape(-1).narrow(0, 0, 8)});
    EXPECT_LT(difference(actual, expected.at("grad." + name)), tolerance) << name;
  }
}

TEST(Bert, MiniLmEqualsTransformers) {
  expect_published("bert/minilm.safetensors", minilm_folder(), 1e-5);
}

TEST(Bert, MpnetBaseEqualsTransformers) {
  if (!std::filesystem::exists(mpnet_folder())) {
    GTEST_SKIP() << "scripts/setup --mpnet has not been run";
  }
  expect_published("bert/mpnet_base.safetensors", mpnet_folder(), 1e-4);
}

TEST(Bert, ScoresDoNotDependOnTheBatch) {
  const auto expected = fixture_tensors("bert/gelu/expected.safetensors");
  const at::Tensor lengths = expected.at("attention_mask").sum(1);
  const auto encoder = load_encoder(fixture("bert/gelu"), {}).encoder;
  const at::Tensor collectively = encoder->cls_states(
      pack_padded(expected.at("input_ids"), expected.at("token_type_ids"), lengths), {});
  for (int64_t row = 0; row < lengths.size(0); ++row) {
    const at::Tensor alone = encoder->cls_states(
        pack_padded(expected.at("input_ids").narrow(0, row, 1),
                    expected.at("token_type_ids").narrow(0, row, 1), lengths.narrow(0, row, 1)),
        {});
    EXPECT_LT(difference(alone[0], collectively[row]), 1e-5);
  }
}

TEST(Bert, NamesEveryTensorThatDoesNotFit) {
  ConfigFields fields(fixture("bert/gelu"));
  BertConfig config = read_bert_config(fields, kBert);
  config.intermediate_size += 8;
  NamedTensors weights = read_safetensors(fixture("bert/gelu/model.safetensors"));
  const std::string message = input_error([&] {
    Bert(config, [&](const ParameterSlots& slots) { take_parameters(slots, weights, "here"); });
  });
  expect_contains(message, "encoder.layer.0.intermediate.dense.weight is [128, 32]");
  expect_contains(message, "encoder.layer.0.output.dense.weight");
}

}  // namespace rubric::models::bert_test
