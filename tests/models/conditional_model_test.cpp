#include "models/conditional_model.h"

#include "models/load_conditional_model.h"
#include "models/seq2seq_fixture.h"
#include "models/target_likelihood.h"

namespace rubric {
namespace {

// tests/fixtures/make_seq2seq.py: transformers' models on a padded batch.
class ConditionalModelParity : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    fixture_ = seq2seq_fixture(name);
    model_ = load_conditional_model(fixture("seq2seq/" + name));
  }

  at::Tensor expected(const std::string& name) const { return fixture_.expected.at(name); }

  at::Tensor loss() const {
    return target_cross_entropy(model_->states(fixture_.pairs, {}), model_->output(),
                                fixture_.pairs.targets) /
           static_cast<double>(fixture_.pairs.targets.size());
  }

  void expect_gradients() const {
    for (const auto& [name, tensor] : model_->parameters()) tensor.set_requires_grad(true);
    const at::Tensor value = loss();
    EXPECT_LT(difference(value.reshape({1}), expected("loss")), 1e-5);
    value.backward();
    for (const auto& [name, tensor] : model_->parameters()) {
      ASSERT_TRUE(tensor.grad().defined()) << name;
      EXPECT_LT(difference(tensor.grad(), expected("grad." + name)), 1e-5) << name;
    }
  }

  Seq2SeqFixture fixture_;
  std::unique_ptr<ConditionalModel> model_;
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

// Row by row leaves as it ends: what is left must not notice.
TEST_P(ConditionalModelParity, GreedyTokensEqualTransformers) {
  const at::Tensor greedy = expected("greedy");
  const std::unique_ptr<Decoder> decoder = model_->decode(fixture_.pairs.sources);
  std::vector<int64_t> rows, tokens;
  for (int64_t row = 0; row < greedy.size(0); ++row) {
    rows.push_back(row);
    const auto first =
        static_cast<size_t>(fixture_.pairs.decoder_inputs.offsets[static_cast<size_t>(row)]);
    tokens.push_back(fixture_.pairs.decoder_inputs.ids[first]);
  }
  // bart_scaled's last token is forced on it.
  const int64_t steps = greedy.size(1) - (GetParam() == std::string("bart_scaled") ? 1 : 0);
  for (int64_t step = 0; step < steps; ++step) {
    const at::Tensor best = logits(decoder->step(tokens), model_->output()).argmax(1);
    std::vector<int64_t> kept;
    tokens.clear();
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t token = best[static_cast<int64_t>(i)].item<int64_t>();
      ASSERT_EQ(token, greedy[rows[i]][step].item<int64_t>()) << "row " << rows[i] << " " << step;
      if (step + 1 == steps || greedy[rows[i]][step + 1].item<int64_t>() < 0) continue;
      kept.push_back(static_cast<int64_t>(i));
      tokens.push_back(token);
    }
    decoder->select(kept);
    std::vector<int64_t> left;
    for (const int64_t i : kept) left.push_back(rows[static_cast<size_t>(i)]);
    rows = left;
    if (rows.empty()) break;
  }
  EXPECT_TRUE(rows.empty());
}

INSTANTIATE_TEST_SUITE_P(Variants, ConditionalModelParity,
                         testing::Values("t5", "t5_v1_1", "t5_gated_tied", "t5_gated_silu", "bart",
                                         "bart_scaled", "gpt2", "gpt2_inner", "t5_added",
                                         "t5_v1_1_added", "bart_added", "gpt2_added"));

}  // namespace
}  // namespace rubric
