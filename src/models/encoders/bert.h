// BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019), MPNet (Song et al. 2020), ELECTRA (Clark et
// al. 2020), DistilBERT (Sanh et al. 2019) and RemBERT (Chung et al. 2021) over packed rows, with
// the published parameter names. They differ in where positions are counted from, in names and in
// their tokenizers; and in few parts: MPNet and DistilBERT have no segments, MPNet has biases of
// relative positions, ELECTRA and RemBERT have embeddings of another width than the layers.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/architecture.h"
#include "models/config_fields.h"
#include "models/encoders/bert_kind.h"
#include "models/encoders/encoder.h"
#include "models/ops/attention.h"

namespace rubric::models {

// The published names of a kind's parameters, those of a layer without its beginning.
struct BertNames {
  const char* layer;       // before the layer's number: "encoder.layer."
  const char* projection;  // of the embeddings to the layers' width; empty: a kind has none
  const char *query, *key, *value, *attention_output, *attention_norm;
  const char *intermediate, *output, *output_norm;
};

// The fields of config.json that shape the computation.
struct BertConfig {
  int64_t vocab_size = 0, hidden_size = 0, num_hidden_layers = 0, num_attention_heads = 0;
  int64_t intermediate_size = 0, max_position_embeddings = 0;
  int64_t embedding_size = 0;   // another than hidden_size where the embeddings are projected
  int64_t type_vocab_size = 2;  // MPNet's and DistilBERT's 0: nothing is added for segments
  double layer_norm_eps = 1e-12;
  double hidden_dropout_prob = 0.1, attention_probs_dropout_prob = 0.1;
  int64_t pad_token_id = 0;         // its word embedding takes no gradient
  std::string hidden_act = "gelu";  // gelu, gelu_new or relu
  // The place of a row's first token among the position embeddings. RoBERTa's and MPNet's is
  // pad_token_id + 1: they count only tokens that are no padding, which has the place before.
  int64_t first_position = 0;
  bool has_relative_positions = false;  // MPNet's
  bool is_projected = false;            // the embeddings are
  bool drops_attention_output = true;   // at hidden_dropout_prob; not DistilBERT's
  const BertNames* names = nullptr;

  int64_t longest_row() const { return max_position_embeddings - first_position; }  // in tokens
};

// Throw InputError naming the file and the field that is missing, out of range or unsupported.
BertConfig read_bert_config(ConfigFields& fields, const EncoderKind& kind);

struct BertLayer {
  Linear query, key, value, attention_output, intermediate, output;
  LayerNorm attention_norm, output_norm;
};

// A model with one segment type takes all segments for that one.
class Bert final : public Encoder {
 public:
  Bert(BertConfig config, const ParameterLoader& load);

  at::Device device() const override { return word_embeddings_.device(); }
  at::Tensor visit_states(const PackedTokens& tokens, int64_t layer, const DropoutKeys& keys,
                          const StateVisitor& visit) const override;
  // The last layer computes nothing but these.
  at::Tensor cls_states(const PackedTokens& tokens, const DropoutKeys& keys) const override;
  void pack_weights(Packing packing) override;

 private:
  ParameterSlots slots() override;

  at::Tensor positions(const PackedTokens& tokens) const;  // int64 [tokens], on the model's device
  at::Tensor embed(const PackedTokens& tokens, const DropoutKeys& keys) const;
  // Of all layers alike; undefined but for MPNet.
  at::Tensor bias_of_scores(const Offsets& offsets) const;
  // The states behind `count` layers.
  at::Tensor run_layers(const PackedTokens& tokens, size_t count, const at::Tensor& bias,
                        const DropoutKeys& keys, const StateVisitor& visit = {}) const;
  at::Tensor layer(size_t index, const at::Tensor& x, const Offsets& offsets,
                   const at::Tensor& bias, const DropoutKeys& keys) const;
  at::Tensor last_layer_first(const at::Tensor& x, const Offsets& offsets, const at::Tensor& bias,
                              const DropoutKeys& keys) const;
  at::Tensor after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                             const DropoutKeys& keys) const;
  AttentionSettings attention_settings(size_t index) const;

  BertConfig config_;
  at::Tensor word_embeddings_, position_embeddings_, token_type_embeddings_;
  LayerNorm embedding_norm_;
  Linear projection_;  // of the embeddings, where they are projected
  std::vector<BertLayer> layers_;
  at::Tensor relative_attention_bias_;  // [buckets, heads]; MPNet's
};

}  // namespace rubric::models
