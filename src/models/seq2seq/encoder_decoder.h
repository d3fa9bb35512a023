// The common part of encoder-decoder architectures: the decoder's layers attend to the target's
// previous tokens and to the encoder's output for the source (Vaswani et al. 2017, section 3.1).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/ops/attention.h"
#include "models/ops/layers.h"
#include "models/sequence_model.h"

namespace rubric::models {

enum class Stack { encoder, decoder };

// Where a dropout mask is drawn in a layer.
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
  // On other devices rows are padded to the longest, and every target has its own source.
  bool shares_sources() const final { return device_of(output()).is_cpu(); }
  std::unique_ptr<Decoder> decode(const data::TokenBatch& sources) const final;

 protected:
  // What an architecture defines. `index` is the layer's index in its stack; x is [tokens, width].
  virtual size_t layers(Stack stack) const = 0;
  // `positions` are the tokens' positions in their rows, from 0.
  virtual at::Tensor embed(Stack stack, const std::vector<int64_t>& ids,
                           const std::vector<int64_t>& positions,
                           const DropoutKeys& keys) const = 0;
  // `attend_source` is empty in the encoder.
  virtual at::Tensor layer(Stack stack, size_t index, const at::Tensor& x,
                           const SelfAttention& attend, const CrossAttention& attend_source,
                           const DropoutKeys& keys) const = 0;
  virtual at::Tensor finish(Stack stack, const at::Tensor& x, const DropoutKeys& keys) const = 0;
  virtual const AttentionMaps& cross_attention(size_t index) const = 0;
  virtual AttentionSettings attention(Stack stack) const = 0;  // without dropout_site and causal
  // The argument of packed_attention() for rows of up to reach + 1 tokens; may be undefined.
  virtual at::Tensor relative_position_bias(Stack stack, int64_t reach) const = 0;

  // Unique in the network.
  uint64_t dropout_site(Stack stack, size_t index, DropoutPlace place) const;

 private:
  friend class EncoderDecoderIncrementalDecoder;

  // The encoder's output for the sources, and which of the decoder's tokens attend to each.
  struct Encoded {
    at::Tensor states;  // [tokens of all sources, width]; undefined without sources
    Offsets offsets, readers;
  };

  at::Tensor run_stack(Stack stack, const data::TokenBatch& tokens, const Encoded& source,
                       const DropoutKeys& keys) const;
  AttentionSettings self_settings(Stack stack, size_t index) const;
  AttentionSettings cross_settings(size_t index) const;
  std::vector<at::Tensor> keys_and_values(const at::Tensor& source, size_t index) const;
};

}  // namespace rubric::models
