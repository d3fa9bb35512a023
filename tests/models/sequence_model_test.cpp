#include "models/sequence_model.h"

#include <algorithm>
#include <set>

#include "models/ops/device.h"
#include "models/ops/output_layer.h"
#include "models/seq2seq_fixture.h"

namespace rubric::models::sequence_model_test {

// tests/fixtures/make_seq2seq.py: transformers' models on a padded batch.
struct ConditionalModelParity : testing::TestWithParam<std::string> {
  void SetUp() override {
    const std::string name = GetParam();
    fixture_ = seq2seq_fixture(name);
    model_ = load_sequence_model(fixture(sequence_folder(name)));
  }

  // Whether a row's tokens are turned by other angles once it is longer, so that decoding differs
  // from reading a whole row; GreedyParity covers it.
  bool has_angles_of_length() const {
    return GetParam() == "decoders/llama_dynamic" || GetParam() == "decoders/phi3_longrope";
  }

  at::Tensor expected(const std::string& name) const { return fixture_.expected.at(name); }

  at::Tensor loss() const {
    return target_cross_entropy(model_->states(fixture_.pairs, {}), model_->output(),
                                fixture_.pairs.targets) /
           static_cast<double>(fixture_.pairs.targets.size());
  }

  void expect_gradients() const {
    for (const Parameter& parameter : model_->parameters()) {
      parameter.tensor.set_requires_grad(true);
    }
    const at::Tensor value = loss();
    EXPECT_LT(difference(value.reshape({1}), expected("loss")), 1e-5);
    value.backward();
    for (const auto& [name, tensor, decays, rate] : model_->parameters()) {
      ASSERT_TRUE(tensor.grad().defined()) << name;
      EXPECT_LT(difference(tensor.grad(), expected("grad." + name)), 1e-5) << name;
    }
  }

  Seq2SeqFixture fixture_;
  std::unique_ptr<SequenceModel> model_;
};

TEST_P(ConditionalModelParity, LogitsEqualTransformers) {
  const at::NoGradGuard no_grad;
  const at::Tensor states = model_->states(fixture_.pairs, {});
  const Offsets& offsets = fixture_.pairs.decoder_inputs.offsets;
  EXPECT_LT(difference(logits(states, model_->output()), packed_rows(expected("logits"), offsets)),
            1e-5);
  const std::vector<float> values =
      target_log_probabilities(states, model_->output(), fixture_.pairs.targets);
  EXPECT_LT(difference(at::tensor(at::ArrayRef<float>(values)),
                       packed_rows(expected("log_probabilities"), offsets)),
            1e-5);
}

TEST_P(ConditionalModelParity, LossAndGradientsEqualTransformers) {
  expect_gradients();
}

TEST_P(ConditionalModelParity, CheckpointedGradientsEqualTransformers) {
  model_->checkpoint_gradients(true);
  expect_gradients();
}

// Token by token, by rows that are named twice or leave: what is left must not notice.
void expect_decoding_gives(const at::Tensor& expected_states, const SequenceModel& model,
                           const data::TokenPairs& pairs, double most = 1e-5) {
  const data::TokenBatch& inputs = pairs.decoder_inputs;
  const std::unique_ptr<Decoder> decoder = model.decode(pairs.sources);
  std::vector<int64_t> rows;  // of the fixture, in the decoder
  for (int64_t row = 0; row < inputs.rows(); ++row) rows.push_back(row);
  int64_t compared = 0;
  for (int64_t place = 0; !rows.empty(); ++place) {
    std::vector<int64_t> tokens, places;
    for (const int64_t row : rows) {
      places.push_back(inputs.offsets[static_cast<size_t>(row)] + place);
      tokens.push_back(inputs.ids[static_cast<size_t>(places.back())]);
    }
    const at::Tensor states = decoder->step(tokens);
    EXPECT_LT(difference(states, expected_states.index_select(0, index_tensor(places))), most)
        << place;
    compared += std::ssize(rows);
    std::vector<int64_t> kept, rows_left;
    for (auto i = std::ssize(rows) - 1; i >= 0; --i) {
      const int64_t row = rows[static_cast<size_t>(i)];
      if (place + 1 == inputs.length(row)) continue;
      const int copies = place == 1 ? 2 : 1;
      kept.insert(kept.end(), copies, i);
      rows_left.insert(rows_left.end(), copies, row);
    }
    decoder->select(kept);
    rows = rows_left;
  }
  EXPECT_GT(compared, std::ssize(inputs.ids));
}

TEST_P(ConditionalModelParity, DecodingGivesTheSameStates) {
  if (has_angles_of_length()) return;
  const at::NoGradGuard no_grad;
  expect_decoding_gives(model_->states(fixture_.pairs, {}), *model_, fixture_.pairs);
}

bool is_table(const std::string& name) {
  static const std::set<std::string> words = {"shared",
                                              "lm_head",
                                              "wte",
                                              "wpe",
                                              "embed_positions",
                                              "embed_tokens",
                                              "relative_attention_bias"};
  return std::ranges::any_of(words, [&](const auto& word) { return name.find(word) != name.npos; });
}

TEST_P(ConditionalModelParity, PackedWeightsGiveTheSame) {
  const at::NoGradGuard no_grad;
  const at::Tensor states = model_->states(fixture_.pairs, {});
  const at::Tensor rows = logits(states, model_->output());
  model_->pack_weights(Packing::float32);
  const at::Tensor again = model_->states(fixture_.pairs, {});
  EXPECT_LT(difference(again, states), 1e-5);
  const at::Tensor rows_again = logits(again, model_->output());
  EXPECT_LT(difference(rows_again, rows), 1e-5);
  if (!has_angles_of_length()) expect_decoding_gives(again, *model_, fixture_.pairs);
  model_->pack_weights(Packing::float32);  // once more changes nothing
  EXPECT_TRUE(at::equal(model_->states(fixture_.pairs, {}), again));
  EXPECT_TRUE(at::equal(logits(again, model_->output()), rows_again));
  if (!at::hasMKLDNN()) return;
  EXPECT_TRUE(model_->output().weight.is_mkldnn());
  for (const auto& [name, tensor] : model_->tensors()) {
    if (tensor.dim() < 2 || name == "final_logits_bias") continue;
    EXPECT_EQ(tensor.is_mkldnn(), !is_table(name) || name == "lm_head.weight") << name;
  }
}

TEST_P(ConditionalModelParity, WeightsOfEightBitsAreNear) {
  const at::NoGradGuard no_grad;
  const at::Tensor exact = model_->states(fixture_.pairs, {});
  const Linear exact_output = model_->output();
  model_->pack_weights(Packing::int8);
  const at::Tensor rounded = model_->states(fixture_.pairs, {});
  const auto expect_near = [](const at::Tensor& x, const at::Tensor& y) {
    EXPECT_FALSE(at::equal(x, y));
    EXPECT_LT((x - y).norm().item<double>(), 0.2 * y.norm().item<double>());
  };
  expect_near(rounded, exact);
  const at::Tensor rows = logits(rounded, model_->output());
  expect_near(rows, logits(rounded, exact_output));
  model_->pack_weights(Packing::int8);  // once more changes nothing
  EXPECT_TRUE(at::equal(model_->states(fixture_.pairs, {}), rounded));
  EXPECT_TRUE(at::equal(logits(rounded, model_->output()), rows));
  EXPECT_THROW(target_cross_entropy(rounded, model_->output(), fixture_.pairs.targets), c10::Error);
  // What differs in the last digit may be rounded to the next step, which of the Llama family is
  // 1/63 of 1/126 of a token's largest number; of the others it is 63 times as large, and none
  // does.
  const bool is_fine = GetParam().starts_with("decoders/");
  if (!has_angles_of_length()) {
    expect_decoding_gives(rounded, *model_, fixture_.pairs, is_fine ? 1e-3 : 1e-5);
  }
  for (const auto& [name, tensor] : model_->tensors()) {
    const bool is_matrix = !tensor.defined() || tensor.dim() > 1;
    if (!is_matrix || name == "final_logits_bias") continue;
    EXPECT_EQ(tensor.defined(), is_table(name) && name != "lm_head.weight") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, ConditionalModelParity,
                         testing::Values("t5", "t5_v1_1", "t5_gated_tied", "t5_gated_silu", "bart",
                                         "bart_scaled", "gpt2", "gpt2_inner", "t5_added",
                                         "t5_v1_1_added", "bart_added", "gpt2_added"));
INSTANTIATE_TEST_SUITE_P(Decoders, ConditionalModelParity, testing::ValuesIn(kDecoders));

}  // namespace rubric::models::sequence_model_test
