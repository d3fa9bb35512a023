// The decoders that follow Llama (Touvron et al. 2023), as one class whose settings are those in
// which they differ: Llama 2 and 3, SmolLM2, Mistral, Qwen2, Qwen2.5, Qwen3, Phi-3 and Gemma 3's
// text model; over packed rows, with the published parameter names.
//
//   y = x + attention(norm(x)),  z = y + down (activation(gate norm(y)) * up norm(y))
//
// with RMS norms and rotary positions. In Gemma 3 what is added is normed, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/causal/causal_model.h"
#include "models/config_fields.h"
#include "models/ops/rotary.h"

namespace rubric::models {

// How a layer attends.
struct LlamaAttention {
  std::optional<int64_t> window = {};  // AttentionSettings::window
  bool is_local = false;               // turns by LlamaConfig::local_rotary
};

// The fields of config.json that determine the computation.
struct LlamaConfig {
  int64_t vocab_size = 0, hidden_size = 0, intermediate_size = 0;
  int64_t num_attention_heads = 0, num_key_value_heads = 0, head_dim = 0;
  std::string hidden_act = "silu";  // silu, gelu, gelu_pytorch_tanh, gelu_new or relu
  double rms_norm_eps = 1e-6;
  double attention_scale = 1;  // of the scores
  double embedding_scale = 1;
  std::vector<LlamaAttention> layers;
  RotarySettings rotary = {}, local_rotary = {};
  bool has_query_bias = false;   // and one of keys and values
  bool has_output_bias = false;  // of attention
  bool has_mlp_bias = false;
  bool has_query_norms = false;      // each head of queries and of keys is normed (Qwen3, Gemma 3)
  bool has_joined_maps = false;      // qkv_proj and gate_up_proj (Phi-3)
  bool has_norms_behind = false;     // of what is added (Gemma 3)
  bool has_norms_from_zero = false;  // a norm's factor is its weight plus one (Gemma 3)
  bool tie_word_embeddings = false;
  double attention_dropout = 0, embd_pdrop = 0, resid_pdrop = 0;
  double initializer_range = 0.02;  // for new weights
};

// Reads the configuration of a "llama", "mistral", "qwen2", "qwen3", "phi3" or "gemma3_text", as
// transformers 4 or 5 writes it. Throws InputError naming the file and the field that is missing,
// out of range or unsupported.
LlamaConfig read_llama_config(ConfigFields& fields);

struct LlamaLayer {
  at::Tensor attention_norm, feed_forward_norm;                // input_layernorm, …
  at::Tensor behind_attention_norm, behind_feed_forward_norm;  // Gemma 3's
  at::Tensor query_norm, key_norm;                             // [head_dim]
  Linear query, key, value, joined, attention_output;          // `joined`: query, key and value
  Linear gate, up, gate_up, down;                              // `gate_up`: gate and up
};

class Llama : public CausalModel {
 public:
  Llama(LlamaConfig config, const ParameterLoader& load);

  int64_t vocabulary_size() const override { return config_.vocab_size; }
  void resize_vocabulary(int64_t size, uint64_t seed) override;

 private:
  ParameterSlots slots() override;
  Linear output_layer() const override;
  void pack_layers(Packing packing) override;
  // Of what goes into `down` some numbers are 40 times the root mean square, elsewhere 20 times
  // (SmolLM2): rounded once, they move the likelihood of a row by up to 1.
  bool has_outliers() const override { return true; }
  at::Tensor* untied_output() override { return lm_head_.defined() ? &lm_head_ : nullptr; }

  size_t layer_count() const override { return layers_.size(); }
  KeyValueCache new_cache(int64_t rows) const override;
  at::Tensor embed(const CausalTokens& tokens, const DropoutKeys& keys) const override;
  at::Tensor layer(size_t index, const at::Tensor& x, const CausalTokens& tokens,
                   const SelfAttention& attend, const DropoutKeys& keys) const override;
  AttentionSettings attention_settings(size_t layer) const override;
  at::Tensor finish(const at::Tensor& x) const override { return norm(x, final_norm_); }
  void add_angles(const Offsets& offsets, CausalTokens& tokens) const override;
  void add_last_angles(std::span<const int64_t> lengths, CausalTokens& tokens) const override;
  std::optional<int64_t> length_of_rereading() const override { return rotary_.new_angles_at(); }

  at::Tensor norm(const at::Tensor& x, const at::Tensor& weight) const;
  // Each head of x [tokens, heads × head_dim] by itself.
  at::Tensor norm_heads(const at::Tensor& x, const at::Tensor& weight) const;
  at::Tensor feed_forward(const LlamaLayer& layer, const at::Tensor& x) const;

  LlamaConfig config_;
  Rotary rotary_;
  std::optional<Rotary> local_rotary_;
  at::Tensor word_embeddings_, final_norm_, lm_head_;  // lm_head_ only if untied
  std::vector<LlamaLayer> layers_;
};

}  // namespace rubric::models
