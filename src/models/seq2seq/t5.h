// T5 (Raffel et al. 2020), an encoder-decoder, over packed rows, with the published parameter
// names: v1.0 (ReLU feed-forward, output tied to the embeddings), v1.1 and mT5 (gated, untied
// output).
#pragma once

#include <string>
#include <vector>

#include "models/config_fields.h"
#include "models/seq2seq/encoder_decoder.h"

namespace rubric::models {

// The fields of config.json that determine the computation.
struct T5Config {
  int64_t vocab_size = 0, d_model = 0, d_kv = 0, d_ff = 0, num_heads = 0;
  int64_t num_layers = 0, num_decoder_layers = 0;
  int64_t relative_attention_num_buckets = 32, relative_attention_max_distance = 128;
  double dropout_rate = 0.1, layer_norm_epsilon = 1e-6;
  std::string feed_forward_proj = "relu";  // relu, gated-gelu or gated-silu
  bool tie_word_embeddings = true;
  double initializer_factor = 1;  // for new weights

  bool is_gated() const { return feed_forward_proj != "relu"; }
  int64_t inner_width() const { return num_heads * d_kv; }
};

// Reads the configuration of a "t5" or "mt5". Throws InputError naming the file and the field that
// is missing, out of range or unsupported.
T5Config read_t5_config(ConfigFields& fields);

// The standard deviation with which transformers initialises a parameter (_init_weights).
double t5_deviation(const T5Config& config, const std::string& name);

struct T5Layer {
  at::Tensor self_norm, cross_norm, feed_forward_norm;  // [d_model]; RMS norms
  AttentionMaps self_attention, cross_attention;        // the latter only in the decoder
  Linear gate, up, down;                                // gate only if is_gated()
};
struct T5Stack {                      // encoder or decoder
  at::Tensor relative_position_bias;  // [buckets, heads]
  at::Tensor final_norm;
  std::vector<T5Layer> layers;
};

class T5 : public EncoderDecoder {
 public:
  T5(T5Config config, const ParameterLoader& load);

  int64_t vocabulary_size() const override { return config_.vocab_size; }
  void resize_vocabulary(int64_t size, uint64_t seed) override;

 protected:
  size_t layers(Stack stack) const override { return stack_of(stack).layers.size(); }
  at::Tensor embed(Stack stack, const std::vector<int64_t>& ids,
                   const std::vector<int64_t>& positions, const DropoutKeys& keys) const override;
  at::Tensor layer(Stack stack, size_t index, const at::Tensor& x, const SelfAttention& attend,
                   const CrossAttention& attend_source, const DropoutKeys& keys) const override;
  at::Tensor finish(Stack stack, const at::Tensor& x, const DropoutKeys& keys) const override;
  const AttentionMaps& cross_attention(size_t index) const override {
    return decoder_.layers[index].cross_attention;
  }
  AttentionSettings attention(Stack) const override {
    return {.heads = config_.num_heads, .dropout_rate = config_.dropout_rate, .scale = 1.0};
  }
  at::Tensor relative_position_bias(Stack stack, int64_t reach) const override;

 private:
  const T5Stack& stack_of(Stack stack) const {
    return stack == Stack::encoder ? encoder_ : decoder_;
  }
  ParameterSlots slots() override;
  Linear output_layer() const override;
  void pack_layers(Packing packing) override;
  at::Tensor* untied_output() override { return lm_head_.defined() ? &lm_head_ : nullptr; }
  at::Tensor feed_forward(const T5Layer& layer, uint64_t dropout_site, const at::Tensor& x,
                          const DropoutKeys& keys) const;

  T5Config config_;
  at::Tensor shared_, lm_head_;  // [vocab_size, d_model]; lm_head_ only if untied
  T5Stack encoder_, decoder_;
};

}  // namespace rubric::models
