// COMET's heads (Rei et al. 2020; wmt22-comet-da, Rei et al. 2022), as the package unbabel-comet
// computes them: a mix of an encoder's layers, a vector for each text, and a feed-forward network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/encoders/encoder.h"
#include "models/ops/linear.h"

namespace rubric::models {

// h = γ Σ s_k h_k over the embeddings and the output of every layer, where s is softmax(w) or
// sparsemax(w).
struct LayerMix {
  at::Tensor weights, gamma;  // [layers + 1]; [1]
  bool is_sparse = true;
  bool normalises = false;  // each h_k of a row, over its tokens and columns alike, before
};

// The nearest point to `x` [n] whose numbers are at least 0 and sum to 1 (Martins and Astudillo
// 2016), differentiable.
at::Tensor sparsemax(const at::Tensor& x);

// The mix for every token, [tokens, width].
at::Tensor mixed_states(const Encoder& encoder, const PackedTokens& tokens, const LayerMix& mix,
                        const DropoutKeys& keys);

// The vectors of rows' first tokens, [rows, width].
at::Tensor first_states(const at::Tensor& states, const Offsets& offsets);

// [h; r; h∘r; |h−r|; h∘s; |h−s|] of candidate, reference and source, [rows, width] each; without a
// reference, which is then undefined, [h; s; h∘s; |h−s|].
at::Tensor comet_features(const at::Tensor& candidate, const at::Tensor& reference,
                          const at::Tensor& source);

// Linear maps with an activation, tanh or sigmoid, between them, and perhaps one behind the last.
struct CometNetwork {
  std::vector<Linear> layers;
  std::string activation = "tanh", final_activation = "";
};
at::Tensor comet_scores(const CometNetwork& network, const at::Tensor& features);  // [rows, 1]

}  // namespace rubric::models
