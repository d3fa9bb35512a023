// ModernBERT (Warner et al. 2024) over packed rows, with the published parameter names. Unlike BERT
// it turns queries and keys by their positions, normalises before each part of a layer and once at
// the end, has gated feed-forward layers, and lets most layers attend to near tokens alone.
//
//   x := x + Wo attention(Wqkv norm(x));   x := x + Wo (activation(a) ⊙ b),  [a, b] = Wi norm(x)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/config_fields.h"
#include "models/encoders/encoder.h"
#include "models/encoders/modernbert_kind.h"
#include "models/ops/rotary.h"

namespace rubric::models {

// The fields of config.json that shape the computation.
struct ModernBertConfig {
  int64_t vocab_size = 0, hidden_size = 0, num_hidden_layers = 0, num_attention_heads = 0;
  int64_t intermediate_size = 0, max_position_embeddings = 0;
  int64_t pad_token_id = 0;  // its embedding takes no gradient
  double norm_eps = 1e-5;
  bool norm_bias = false, attention_bias = false, mlp_bias = false;
  double embedding_dropout = 0, attention_dropout = 0, mlp_dropout = 0;
  std::string hidden_activation = "gelu";  // gelu, gelu_new, gelu_pytorch_tanh, relu or silu
  std::vector<bool> is_global;             // of each layer: it attends to all tokens of a row
  int64_t local_attention = 128;           // else to half as many on each side
  double global_rope_theta = 160000, local_rope_theta = 10000;  // bases of the turns

  int64_t head_size() const { return hidden_size / num_attention_heads; }
};

// Throws InputError naming the file and the field that is missing, out of range or unsupported.
// What transformers 4 writes (global_attn_every_n_layers, global_rope_theta, local_rope_theta) and
// what 5 does (layer_types, rope_parameters) are read.
ModernBertConfig read_modernbert_config(ConfigFields& fields);

struct ModernBertLayer {
  LayerNorm attention_norm, mlp_norm;  // the first layer has none before attention
  Linear query_key_value, attention_output, gated, output;
};

class ModernBert final : public Encoder {
 public:
  ModernBert(ModernBertConfig config, const ParameterLoader& load);

  at::Device device() const override { return embeddings_.device(); }
  at::Tensor visit_states(const PackedTokens& tokens, int64_t layer, const DropoutKeys& keys,
                          const StateVisitor& visit) const override;
  at::Tensor states_cut_behind(const PackedTokens& tokens, int64_t layer) const override;
  // The last layer computes nothing but these and what they attend to.
  at::Tensor cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const override;
  void pack_weights(Packing packing) override;

 private:
  // The turns of a row's tokens, in layers of both kinds.
  struct Turns {
    RotaryAngles global, local;
  };
  ParameterSlots slots() override;

  Turns turns_of(const Offsets& offsets) const;
  at::Tensor embed(const PackedTokens& tokens, const DropoutKeys& keys) const;
  // The states behind the first `count` layers.
  at::Tensor run_layers(const PackedTokens& tokens, size_t count, const Turns& turns,
                        const DropoutKeys& keys, const StateVisitor& visit = {}) const;
  // Queries, keys and values of a layer, turned.
  std::vector<at::Tensor> project(size_t index, const at::Tensor& x, const Turns& turns) const;
  at::Tensor after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                             const DropoutKeys& keys) const;
  AttentionSettings attention_settings(size_t index) const;

  ModernBertConfig config_;
  Rotary global_rotary_, local_rotary_;
  at::Tensor embeddings_;
  LayerNorm embedding_norm_, final_norm_;
  std::vector<ModernBertLayer> layers_;
};

}  // namespace rubric::models
