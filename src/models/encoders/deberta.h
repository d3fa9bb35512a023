// DeBERTa v1 and v2 (He et al. 2021) and v3 (He et al. 2023, v2's architecture) over packed rows,
// with the published parameter names: BERT's layers with disentangled attention, whose scores also
// depend on the distance of two tokens. All layers share the embeddings of distances; each projects
// them itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/architecture.h"
#include "models/config_fields.h"
#include "models/encoders/deberta_kind.h"
#include "models/encoders/encoder.h"
#include "models/ops/attention.h"

namespace rubric::models {

// The fields of config.json that shape the computation.
struct DebertaConfig {
  int64_t vocab_size = 0, hidden_size = 0, num_hidden_layers = 0, num_attention_heads = 0;
  int64_t intermediate_size = 0, max_position_embeddings = 0, type_vocab_size = 0;
  int64_t embedding_size = 0;  // of a token; where it is not hidden_size, it is projected
  double layer_norm_eps = 1e-7;
  double hidden_dropout_prob = 0.1, attention_probs_dropout_prob = 0.1;
  int64_t pad_token_id = 0;           // its word embedding takes no gradient
  std::string hidden_act = "gelu";    // gelu, gelu_new or relu
  bool position_biased_input = true;  // positions are added to the tokens, as BERT does
  bool is_v1 = false;
  // Of distances. Their terms are those of DistanceVectors (models/ops/attention.h).
  bool relative_attention = false, has_content_to_position = false, has_position_to_content = false;
  int64_t max_relative_positions = 0;
  int64_t position_buckets = 0;  // 0: one bucket for each distance
  bool share_att_key = false;    // projected by the layer's own query and key
  bool norm_rel_ebd = false;     // layer norm of the embeddings of distances
  // Of the convolution beside the first layer; 0: none. conv_act: tanh, gelu, gelu_new or relu.
  int64_t conv_kernel_size = 0, conv_groups = 1;
  std::string conv_act = "tanh";

  // Embeddings of distances in one direction.
  int64_t span() const { return position_buckets > 0 ? position_buckets : max_relative_positions; }
};

// Throw InputError naming the file and the field that is missing, out of range or unsupported.
DebertaConfig read_deberta_config(ConfigFields& fields, bool is_v1);

// The embedding of each distance from -reach to reach, of a query's position to a key's (both
// clamped to the span): the distance itself where there are no buckets or where it is within half
// of them, beyond on a logarithmic scale, in float32 as upstream (make_log_bucket_position).
at::Tensor deberta_buckets(const DebertaConfig& config, int64_t reach);

struct DebertaLayer {
  Linear in_proj;  // v1: query, key and value of each head in turn, without biases
  at::Tensor q_bias, v_bias;
  Linear query, key, value;             // v2
  Linear distance_key, distance_query;  // unless share_att_key
  Linear attention_output, intermediate, output;
  LayerNorm attention_norm, output_norm;
};

// A model with one segment type takes all segments for that one.
class Deberta final : public Encoder {
 public:
  Deberta(DebertaConfig config, const ParameterLoader& load);

  at::Device device() const override { return word_embeddings_.device(); }
  at::Tensor visit_states(const PackedTokens& tokens, int64_t layer, const DropoutKeys& keys,
                          const StateVisitor& visit) const override;
  // The last layer computes nothing but these.
  at::Tensor cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const override;
  void pack_weights(Packing packing) override;

 private:
  ParameterSlots slots() override;

  // What a forward pass computes once for all layers: the distances of the longest row's tokens.
  struct Distances {
    at::Tensor buckets;     // as in DistanceVectors, of the embeddings from `first` on
    at::Tensor embeddings;  // [buckets in use, hidden]; undefined where vectors_ has all
    DropoutKeys keys;       // of these embeddings
  };
  struct Projections {
    at::Tensor q, k, v;
  };
  at::Tensor embed(const PackedTokens& tokens, const DropoutKeys& keys) const;
  Distances distances(const Offsets& offsets, const DropoutKeys& keys) const;
  at::Tensor distance_embeddings() const;
  DistanceVectors vectors(size_t index, const Distances& distances) const;
  DistanceVectors project_distances(const DebertaLayer& layer, const at::Tensor& embeddings) const;
  Projections project_tokens(const DebertaLayer& layer, const at::Tensor& x) const;
  // The states behind `count` layers.
  at::Tensor run_layers(const PackedTokens& tokens, size_t count, const Distances& distances,
                        const DropoutKeys& keys, const StateVisitor& visit = {}) const;
  at::Tensor layer(size_t index, const at::Tensor& x, const Offsets& offsets,
                   const Distances& distances, const DropoutKeys& keys) const;
  at::Tensor after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                             const DropoutKeys& keys) const;
  at::Tensor convolve(const at::Tensor& x, const at::Tensor& residual, const Offsets& offsets,
                      const DropoutKeys& keys) const;
  AttentionSettings attention_settings(size_t index) const;

  DebertaConfig config_;
  at::Tensor word_embeddings_, position_embeddings_, token_type_embeddings_;
  Linear embedding_projection_;
  LayerNorm embedding_norm_;
  std::vector<DebertaLayer> layers_;
  at::Tensor distance_embeddings_;  // [2 span, hidden], from distance -span on
  LayerNorm distance_norm_;
  at::Tensor convolution_, convolution_bias_;  // [hidden, hidden / groups, kernel]
  LayerNorm convolution_norm_;
  std::vector<DistanceVectors> vectors_;  // of each layer once weights are packed
};

}  // namespace rubric::models
