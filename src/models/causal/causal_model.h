// What causal language models share: a source and its target are one row of tokens, whose layers
// attend to what was read before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/ops/attention.h"
#include "models/ops/key_value_cache.h"
#include "models/ops/layers.h"
#include "models/ops/rotary.h"
#include "models/sequence_model.h"

namespace rubric::models {

// Tokens that are read together, one behind the other, and their places.
struct CausalTokens {
  std::vector<int64_t> ids, positions;  // in their rows, from 0
  RotaryAngles angles, local_angles;    // of models with rotary positions
};

class CausalModel : public SequenceModel {
 public:
  at::Tensor states(const data::TokenPairs& pairs, const PairDropoutKeys& keys) const override;
  std::unique_ptr<Decoder> decode(const data::TokenBatch& sources) const override;

 private:
  friend class CausalDecoder;

  virtual size_t layer_count() const = 0;
  virtual KeyValueCache new_cache(int64_t rows) const = 0;
  virtual at::Tensor embed(const CausalTokens& tokens, const DropoutKeys& keys) const = 0;
  virtual at::Tensor layer(size_t index, const at::Tensor& x, const CausalTokens& tokens,
                           const SelfAttention& attend, const DropoutKeys& keys) const = 0;
  virtual AttentionSettings attention_settings(size_t layer) const = 0;
  virtual at::Tensor finish(const at::Tensor& x) const = 0;

  // Rotary positions: the angles of whole rows, and of the last tokens of rows of these lengths.
  virtual void add_angles(const Offsets&, CausalTokens&) const {}
  virtual void add_last_angles(std::span<const int64_t>, CausalTokens&) const {}
  // The length at which all tokens of a row get other angles, so that it is read again.
  virtual std::optional<int64_t> length_of_rereading() const { return {}; }

  CausalTokens rows_of(const data::TokenBatch& batch) const;
};

}  // namespace rubric::models
