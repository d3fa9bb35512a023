// tests/fixtures/make_encoders.py: encoders after an update by torch's AdamW.
#include "models/encoders/encoder.h"
#include "models/fixture.h"
#include "train/optimizers/optimizer.h"
#include "train/tasks/trained_model.h"

namespace rubric::train::encoder_step_test {

namespace fs = std::filesystem;

// AdamW's first step divides a gradient by its own size plus 1e-8: of gradients smaller than this
// it takes what float32 rounds for a good part of a step of 1e-3.
at::Tensor is_rounding(const at::Tensor& gradient) {
  return gradient.ne(0).logical_and(gradient.abs().lt(1e-5));
}

// How many parameters were compared.
int compare_step(const fs::path& directory) {
  const auto expected = fixture_tensors(directory.string() + "/expected.safetensors");
  const auto encoder = models::load_encoder(directory, {}).encoder;
  const at::Tensor lengths = expected.at("attention_mask").sum(1);
  const models::PackedTokens tokens =
      pack_padded(expected.at("input_ids"), expected.at("token_type_ids"), lengths);
  OptimizerConfig config;
  config.weight_decay = 0.01;
  const auto optimizer = make_optimizer(trained_parameters(encoder->parameters()), config);
  std::vector<at::Tensor> weights;
  for (int64_t row = 0; row < lengths.size(0); ++row) {
    weights.push_back(expected.at("w")[row].narrow(0, 0, lengths[row].item<int64_t>()));
  }
  const at::Tensor scores =
      at::linear(encoder->cls_states(tokens, {}), expected.at("score_layer.weight"),
                 expected.at("score_layer.bias"));
  const at::Tensor last = encoder->hidden_states(tokens, encoder->limits().layers, {});
  ((at::cat(weights) * last).sum() + (scores * scores).sum()).backward();
  optimizer->step(1e-3);
  int compared = 0;
  int64_t elements = 0, rounding = 0;
  for (const auto& [name, parameter, decays, rate] : encoder->parameters()) {
    const auto found = expected.find("adamw." + name);
    const bool is_key_bias = name.ends_with("key.bias") || name.ends_with("k_lin.bias");
    if (found == expected.end() || is_key_bias) continue;
    const at::Tensor unsteady = is_rounding(expected.at("grad." + name));
    const at::Tensor ours = at::where(unsteady, found->second, parameter.detach());
    elements += ours.numel();
    rounding += unsteady.sum().item<int64_t>();
    EXPECT_LT(difference(ours, found->second), 1e-5) << directory << " " << name;
    ++compared;
  }
  EXPECT_LE(rounding * 100, elements) << directory;
  return compared;
}

TEST(EncoderUpdates, OneByAdamWEqualsTorchs) {
  int models = 0;
  for (const auto& entry : fs::directory_iterator(fixture("encoders"))) {
    if (!fs::exists(entry.path() / "expected.safetensors")) continue;
    EXPECT_GT(compare_step(entry.path()), 20) << entry.path();
    ++models;
  }
  EXPECT_GE(models, 4);
}

}  // namespace rubric::train::encoder_step_test
