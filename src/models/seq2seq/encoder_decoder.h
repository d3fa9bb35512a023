// What architectures of an encoder and a decoder have in common: the decoder's layers attend to
// what came before in the target, and to all that the encoder made of the source (Vaswani et al.
// 2017, section 3.1).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/ops/attention.h"
#include "models/ops/linear.h"
#include "models/sequence_model.h"

namespace rubric::models {

enum class Stack { encoder, decoder };

// Where in a layer a dropout mask is drawn.
enum class DropoutPlace : uint64_t {
  embeddings,
  self_probabilities,
  self_output,
  cross_probabilities,
  cross_output,
  inner,
  output,
  last
};

class EncoderDecoder : public SequenceModel {
 public:
  at::Tensor states(const data::TokenPairs& pairs, const PairDropoutKeys& keys) const final;
  // Elsewhere than on the CPU rows are padded to the longest, and all targets of a source are one.
  bool shares_sources() const final { return cross_attention(0).key.weight.is_cpu(); }
  std::unique_ptr<Decoder> decode(const data::TokenBatch& sources) const final;

 protected:
  // An architecture is these. `index` counts the layers of a half; x is [tokens, width].
  virtual size_t layers(Stack half) const = 0;
  // `positions` are those of the tokens in their rows, from 0 on.
  virtual at::Tensor embed(Stack half, const std::vector<int64_t>& ids,
                           const std::vector<int64_t>& positions,
                           const DropoutKeys& keys) const = 0;
  // `attend_source` is empty in the encoder.
  virtual at::Tensor layer(Stack half, size_t index, const at::Tensor& x,
                           const SelfAttention& attend, const CrossAttention& attend_source,
                           const DropoutKeys& keys) const = 0;
  virtual at::Tensor finish(Stack half, const at::Tensor& x, const DropoutKeys& keys) const = 0;
  virtual const AttentionMaps& cross_attention(size_t index) const = 0;
  virtual AttentionSettings attention(Stack half) const = 0;  // but for dropout_site and causal
  // packed_attention's, for rows of up to reach + 1 tokens; may be undefined.
  virtual at::Tensor distance_bias(Stack half, int64_t reach) const = 0;

  // Unique in the network.
  uint64_t dropout_site(Stack half, size_t index, DropoutPlace place) const;

 private:
  friend class EncoderDecoderIncrementalDecoder;

  // What the encoder made of sources, and which of the decoder's tokens attend to each.
  struct Encoded {
    at::Tensor states;  // [tokens of all sources, width]; undefined: there are none
    Offsets offsets, readers;
  };

  at::Tensor run_stack(Stack half, const data::TokenBatch& tokens, const Encoded& source,
                       const DropoutKeys& keys) const;
  AttentionSettings self_settings(Stack half, size_t index) const;
  AttentionSettings cross_settings(size_t index) const;
  std::vector<at::Tensor> keys_and_values(const at::Tensor& source, size_t index) const;
};

}  // namespace rubric::models
