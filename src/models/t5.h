// T5 (Raffel et al. 2020) over packed rows, with the published parameter names: v1.0 (one matrix
// into the inner layer, embeddings tied to the output), v1.1 and mT5 (gated, output of its own).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/attention.h"
#include "models/conditional_model.h"
#include "models/layers.h"

namespace rubric {

// The fields of config.json that shape the computation.
struct T5Config {
  int64_t vocab_size = 0, d_model = 0, d_kv = 0, d_ff = 0, num_heads = 0;
  int64_t num_layers = 0, num_decoder_layers = 0;
  int64_t relative_attention_num_buckets = 32, relative_attention_max_distance = 128;
  double dropout_rate = 0.1, layer_norm_epsilon = 1e-6;
  std::string feed_forward_proj = "relu";  // relu, gated-gelu or gated-silu
  bool tie_word_embeddings = true;

  bool is_gated() const { return feed_forward_proj != "relu"; }
  int64_t inner_width() const { return num_heads * d_kv; }
};

// Of a "t5" or "mt5". Throws InputError naming the file and the field that is missing, out of range
// or unsupported.
T5Config read_t5_config(const std::filesystem::path& config_json);

struct T5Layer {
  at::Tensor self_norm, cross_norm, feed_forward_norm;  // [d_model]; RMS
  AttentionMaps self_attention, cross_attention;        // the latter in the decoder alone
  Linear gate, up, down;                                // gate where the configuration has one
};

class T5 : public ConditionalModel {
 public:
  T5(T5Config config, const ParameterLoader& load);

  at::Tensor states(const TokenPairs& pairs, const PairDropoutKeys& keys) const override;
  OutputLayer output() const override;
  std::unique_ptr<Decoder> decode(const TokenBatch& sources) const override;
  int64_t vocabulary_size() const override { return config_.vocab_size; }
  NamedTensors parameters() const override;
  void grow_vocabulary(int64_t size, uint64_t seed) override;

 private:
  friend class T5Decoder;
  using SelfAttention =
      std::function<at::Tensor(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v)>;
  using CrossAttention = std::function<at::Tensor(const at::Tensor& q)>;

  ParameterSlots slots();
  at::Tensor embed(const std::vector<int64_t>& ids, const DropoutKeys& keys, size_t layer) const;
  at::Tensor encode(const TokenBatch& sources, const DropoutKeys& keys) const;
  at::Tensor layer(const T5Layer& layer, size_t index, const at::Tensor& x,
                   const SelfAttention& attend, const CrossAttention& attend_source,
                   const DropoutKeys& keys) const;
  at::Tensor feed_forward(const T5Layer& layer, size_t index, const at::Tensor& x,
                          const DropoutKeys& keys) const;
  at::Tensor output_states(const at::Tensor& x, const DropoutKeys& keys) const;
  // packed_attention's, for rows of up to reach + 1 tokens.
  at::Tensor distance_bias(const at::Tensor& weight, int64_t reach, bool bidirectional) const;
  AttentionSettings attention_settings(size_t layer, bool is_cross, bool causal) const;

  T5Config config_;
  at::Tensor shared_, lm_head_;             // [vocab_size, d_model]; lm_head_ where it is not tied
  at::Tensor encoder_bias_, decoder_bias_;  // [buckets, heads]
  at::Tensor encoder_norm_, decoder_norm_;
  std::vector<T5Layer> encoder_, decoder_;
};

}  // namespace rubric
