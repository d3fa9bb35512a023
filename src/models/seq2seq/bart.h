// BART (Lewis et al. 2020), an encoder-decoder, over packed rows, with the published parameter
// names.
#pragma once

#include <string>
#include <vector>

#include "models/config_fields.h"
#include "models/seq2seq/encoder_decoder.h"

namespace rubric::models {

// The fields of config.json that determine the computation.
struct BartConfig {
  int64_t vocab_size = 0, d_model = 0, max_position_embeddings = 0;
  int64_t encoder_layers = 0, encoder_attention_heads = 0, encoder_ffn_dim = 0;
  int64_t decoder_layers = 0, decoder_attention_heads = 0, decoder_ffn_dim = 0;
  double dropout = 0.1, attention_dropout = 0, activation_dropout = 0;
  std::string activation_function = "gelu";  // gelu, gelu_new or relu
  bool scale_embedding = false;              // by sqrt(d_model)
  double init_std = 0.02;                    // for new weights
  int64_t pad_token_id = 1;                  // receives no gradient as an input token
};

// Reads the configuration of a "bart" with post-norm layers. Throws InputError naming the file and
// the field that is missing, out of range or unsupported.
BartConfig read_bart_config(ConfigFields& fields);

struct BartLayer {
  AttentionMaps self_attention, cross_attention;  // the latter only in the decoder
  LayerNorm self_norm, cross_norm, final_norm;
  Linear inner, output;  // fc1, fc2
};
struct BartStack {  // encoder or decoder
  at::Tensor positions;
  LayerNorm embedding_norm;
  std::vector<BartLayer> layers;
  int64_t heads = 1;
};

class Bart : public EncoderDecoder {
 public:
  Bart(BartConfig config, const ParameterLoader& load);

  int64_t vocabulary_size() const override { return config_.vocab_size; }
  void resize_vocabulary(int64_t size, uint64_t seed) override;
  // final_logits_bias, which is saved but not trained.
  NamedTensors buffers() const override;

 protected:
  size_t layers(Stack stack) const override { return stack_of(stack).layers.size(); }
  at::Tensor embed(Stack stack, const std::vector<int64_t>& ids,
                   const std::vector<int64_t>& positions, const DropoutKeys& keys) const override;
  at::Tensor layer(Stack stack, size_t index, const at::Tensor& x, const SelfAttention& attend,
                   const CrossAttention& attend_source, const DropoutKeys& keys) const override;
  at::Tensor finish(Stack, const at::Tensor& x, const DropoutKeys&) const override { return x; }
  const AttentionMaps& cross_attention(size_t index) const override {
    return decoder_.layers[index].cross_attention;
  }
  AttentionSettings attention(Stack stack) const override {
    return {.heads = stack_of(stack).heads, .dropout_rate = config_.attention_dropout};
  }
  at::Tensor relative_position_bias(Stack, int64_t) const override { return {}; }

 private:
  const BartStack& stack_of(Stack stack) const {
    return stack == Stack::encoder ? encoder_ : decoder_;
  }
  ParameterSlots slots() override;
  Linear output_layer() const override;
  void pack_layers(Packing packing) override;

  BartConfig config_;
  at::Tensor shared_;             // [vocab_size, d_model]
  at::Tensor final_logits_bias_;  // [1, vocab_size]
  BartStack encoder_, decoder_;
};

}  // namespace rubric::models
