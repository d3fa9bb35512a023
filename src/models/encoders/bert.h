// BERT (Devlin et al. 2019) and RoBERTa (Liu et al. 2019) over packed rows, with the published
// parameter names. The two differ in where positions are counted from, and in their tokenizers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/tokens/batches.h"
#include "models/architecture.h"
#include "models/ops/attention.h"

namespace rubric::models {

// The fields of config.json that shape the computation.
struct BertConfig {
  int64_t vocab_size = 0, hidden_size = 0, num_hidden_layers = 0, num_attention_heads = 0;
  int64_t intermediate_size = 0, max_position_embeddings = 0, type_vocab_size = 2;
  double layer_norm_eps = 1e-12;
  double hidden_dropout_prob = 0.1, attention_probs_dropout_prob = 0.1;
  int64_t pad_token_id = 0;         // its word embedding takes no gradient
  std::string hidden_act = "gelu";  // gelu, gelu_new or relu
  // The place of a row's first token among the position embeddings. RoBERTa's is pad_token_id + 1:
  // it counts only tokens that are no padding, and gives padding the place before.
  int64_t first_position = 0;

  int64_t longest_row() const { return max_position_embeddings - first_position; }  // in tokens
};

// Of a "bert", "roberta" or "xlm-roberta". Throws InputError naming the file and the field that is
// missing, out of range or unsupported.
BertConfig read_bert_config(const std::filesystem::path& config_json);

// What goes in, on the CPU: rows one after another without padding. A model with one segment type
// takes all segments for that one.
struct PackedTokens {
  at::Tensor ids, segments;  // int64 [tokens]
  Offsets offsets;           // rows + 1
  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
};

PackedTokens pack(const data::TokenBatch& rows);

struct BertLayer {
  Linear query, key, value, attention_output, intermediate, output;
  LayerNorm attention_norm, output_norm;
};

class Bert {
 public:
  // Takes the encoder's tensors out of `weights`, under their published names without prefix. A
  // missing or mis-shaped tensor is an InputError listing them all; other names are left there.
  Bert(BertConfig config, NamedTensors& weights, const std::string& where);

  // The last layer's hidden state of each row's first token, [CLS]: [rows, hidden]. The last layer
  // computes nothing else.
  at::Tensor first_states(const PackedTokens& tokens, const DropoutKeys& keys) const;

  // The output of layer `layer`, counted from 1, for every token: [tokens, hidden]. Of layer 0 that
  // of the embeddings. Later layers are not computed.
  at::Tensor hidden_state(const PackedTokens& tokens, int64_t layer, const DropoutKeys& keys) const;

  // The weights of all layers in 8 bits from here on (models/int8.h). Afterwards nothing is
  // trained, and in parameters() they are undefined.
  void use_int8();

  // Every parameter with its published name, without prefix ("encoder.layer.0.attention.self.…").
  NamedTensors parameters();

  const BertConfig& config() const { return config_; }
  at::Device device() const { return word_embeddings_.device(); }

 private:
  ParameterSlots slots();

  at::Tensor positions(const PackedTokens& tokens) const;  // int64 [tokens], on the model's device
  at::Tensor embed(const PackedTokens& tokens, const DropoutKeys& keys) const;
  at::Tensor layer(size_t index, const at::Tensor& x, const Offsets& offsets,
                   const DropoutKeys& keys) const;
  at::Tensor last_layer_first(const at::Tensor& x, const Offsets& offsets,
                              const DropoutKeys& keys) const;
  at::Tensor after_attention(size_t index, const at::Tensor& x, const at::Tensor& context,
                             const DropoutKeys& keys) const;
  AttentionSettings attention_settings(size_t index) const;

  BertConfig config_;
  at::Tensor word_embeddings_, position_embeddings_, token_type_embeddings_;
  LayerNorm embedding_norm_;
  std::vector<BertLayer> layers_;
};

}  // namespace rubric::models
