// GPT-2 (Radford et al. 2019), a causal language model, over packed rows, with the published
// parameter names.
#pragma once

#include <string>
#include <vector>

#include "models/causal/causal_model.h"
#include "models/config_fields.h"

namespace rubric::models {

// The fields of config.json that determine the computation.
struct Gpt2Config {
  int64_t vocab_size = 0, n_positions = 0, n_embd = 0, n_layer = 0, n_head = 0, n_inner = 0;
  std::string activation_function = "gelu_new";  // gelu_new, gelu or relu
  double resid_pdrop = 0.1, embd_pdrop = 0.1, attn_pdrop = 0.1, layer_norm_epsilon = 1e-5;
  bool scale_attn_weights = true;                // by 1/sqrt(head size)
  bool scale_attn_by_inverse_layer_idx = false;  // and by 1/(layer + 1)
  bool tie_word_embeddings = true;
  double initializer_range = 0.02;  // for new weights
};

// Reads the configuration of a "gpt2". Throws InputError naming the file and the field that is
// missing, out of range or unsupported.
Gpt2Config read_gpt2_config(ConfigFields& fields);

// The standard deviation with which transformers initialises a parameter (_init_weights).
double gpt2_deviation(const Gpt2Config& config, const std::string& name);

struct Gpt2Layer {
  LayerNorm attention_norm, feed_forward_norm;        // ln_1, ln_2
  Linear attention, attention_output, inner, output;  // weights [in, out]: transformers' Conv1D
};

class Gpt2 : public CausalModel {
 public:
  Gpt2(Gpt2Config config, const ParameterLoader& load);

  int64_t vocabulary_size() const override { return config_.vocab_size; }
  void resize_vocabulary(int64_t size, uint64_t seed) override;

 private:
  ParameterSlots slots() override;
  Linear output_layer() const override;
  void pack_layers(Packing packing) override;
  at::Tensor* untied_output() override { return lm_head_.defined() ? &lm_head_ : nullptr; }
  size_t layer_count() const override { return layers_.size(); }
  KeyValueCache new_cache(int64_t rows) const override;
  at::Tensor embed(const CausalTokens& tokens, const DropoutKeys& keys) const override;
  at::Tensor layer(size_t index, const at::Tensor& x, const CausalTokens& tokens,
                   const SelfAttention& attend, const DropoutKeys& keys) const override;
  AttentionSettings attention_settings(size_t layer) const override;
  at::Tensor finish(const at::Tensor& x) const override;

  Gpt2Config config_;
  at::Tensor word_embeddings_, position_embeddings_, lm_head_;  // lm_head_ only if untied
  std::vector<Gpt2Layer> layers_;
  LayerNorm final_norm_;
};

}  // namespace rubric::models
