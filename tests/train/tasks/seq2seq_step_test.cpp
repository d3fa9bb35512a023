// tests/fixtures/make_seq2seq.py: whole models after updates by torch's AdamW and transformers'
// Adafactor.
#include "models/ops/output_layer.h"
#include "models/seq2seq_fixture.h"
#include "models/sequence_model.h"
#include "train/optimizers/optimizer.h"
#include "train/tasks/trained_model.h"

namespace rubric::train::seq2seq_step_test {

class Seq2SeqStep {
 public:
  explicit Seq2SeqStep(const std::string& name)
      : fixture_(seq2seq_fixture(name)),
        model_(models::load_sequence_model(fixture(sequence_folder(name)))),
        name_(name) {}

  void update(const OptimizerConfig& config, int steps) const {
    const auto optimizer = make_optimizer(trained_parameters(model_->parameters()), config);
    for (int step = 0; step < steps; ++step) {
      optimizer->zero_gradients();
      const at::Tensor loss =
          models::target_cross_entropy(model_->states(fixture_.pairs, {}), model_->output(),
                                       fixture_.pairs.targets) /
          static_cast<double>(fixture_.pairs.targets.size());
      loss.backward();
      optimizer->step(1e-3);
    }
  }

  // How many parameters were compared with those of `prefix`.
  int expect_parameters(const std::string& prefix) const {
    int compared = 0;
    int64_t elements = 0, rounding = 0;
    for (const auto& [name, parameter, decays, rate] : model_->parameters()) {
      const at::Tensor& expected = fixture_.expected.at(prefix + name);
      // A key's bias has a gradient of zero but for rounding, which both divide by its own size;
      // Adafactor's scale of a tensor comes from all of it.
      const bool is_adafactor = prefix.starts_with("adafactor");
      if (name.ends_with("k_proj.bias") || (is_adafactor && name.ends_with("c_attn.bias")))
        continue;
      at::Tensor ours = parameter.detach();
      if (!is_adafactor) {
        const at::Tensor unsteady = is_rounding(fixture_.expected.at("grad." + name));
        ours = at::where(unsteady, expected, ours);
        elements += ours.numel();
        rounding += unsteady.sum().item<int64_t>();
      }
      EXPECT_LT(difference(ours, expected), 1e-5) << name_ << " " << name;
      ++compared;
    }
    EXPECT_LE(rounding * 100, elements) << name_;
    return compared;
  }

 private:
  // AdamW's first step divides a gradient by its own size plus 1e-8: of gradients smaller than this
  // it takes what float32 rounds, otherwise on each processor, for a good part of a step of 1e-3.
  static at::Tensor is_rounding(const at::Tensor& gradient) {
    return gradient.ne(0).logical_and(gradient.abs().lt(1e-6));
  }

  Seq2SeqFixture fixture_;
  std::unique_ptr<models::SequenceModel> model_;
  std::string name_;
};

TEST(Seq2SeqUpdates, OneByAdamWEqualsTorchs) {
  OptimizerConfig config;
  config.weight_decay = 0.01;
  for (const std::string name :
       {"t5", "t5_v1_1", "t5_gated_tied", "t5_gated_silu", "bart", "bart_scaled", "gpt2",
        "gpt2_inner", "t5_added", "t5_v1_1_added", "bart_added", "gpt2_added",
        "decoders/llama_smollm2", "decoders/mistral", "decoders/qwen2", "decoders/qwen3",
        "decoders/gemma3"}) {
    const Seq2SeqStep step(name);
    step.update(config, 1);
    EXPECT_GE(step.expect_parameters("adamw."), 9) << name;
  }
}

TEST(Seq2SeqUpdates, TwoByAdafactorEqualTransformers) {
  OptimizerConfig config;
  config.name = "adafactor";
  config.weight_decay = 0.01;
  for (const std::string name : {"t5", "bart", "gpt2"}) {
    const Seq2SeqStep step(name);
    step.update(config, 2);
    EXPECT_GT(step.expect_parameters("adafactor2."), 20) << name;
  }
}

}  // namespace rubric::train::seq2seq_step_test
