// Multi-head scaled dot-product attention over packed rows: sequences are concatenated without
// padding, and each attends only within itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/dropout.h"

namespace rubric::models {

// Row i of a packed tensor is [offsets[i], offsets[i+1]).
using Offsets = std::vector<int64_t>;

int64_t longest_row(const Offsets& offsets);  // in tokens

struct AttentionSettings {
  int64_t heads = 1;
  double dropout_rate = 0;
  uint64_t dropout_site = 0;
  std::optional<double> scale = {};  // of the scores; else 1/sqrt(head size)
  bool causal = false;               // a token attends only to itself and earlier ones
  // A token attends only to those at most this far from it: with `causal` to itself and as many
  // before it (Beltagy et al. 2020). Rows of the queries are then as long as those of the keys.
  std::optional<int64_t> window = {};
  // Heads of keys and values, each for as many adjacent heads of queries (Ainslie et al. 2023); 0:
  // one for each.
  int64_t key_heads = 0;
  // The numbers of both products are rounded to bfloat16, which is faster where the processor
  // multiplies bfloat16; elsewhere the same numbers are multiplied in float32. On the CPU, without
  // gradients, else c10::Error.
  bool rounded = false;

  int64_t heads_of_keys() const { return key_heads > 0 ? key_heads : heads; }
};

// What disentangled attention (He et al. 2021, section 3.2) adds to the score of key j for query i
// before it is scaled:
//
//   q_i · keys[b] + k_j · queries[b], b = buckets[reach + i - j]
struct DistanceVectors {
  at::Tensor keys, queries;  // float32 [vectors, hidden]; undefined: without that term
  at::Tensor buckets;        // int64 [2 reach + 1], on the CPU; undefined: without both
};

// q [query tokens, hidden]; k, v [key tokens, hidden, or as much as their heads have]; returns
// [query tokens, hidden]. All float32, with a token's numbers contiguous; tokens may be strided, as
// in a slice of a wider matrix. Throws c10::Error otherwise, and when offsets or heads do not fit
// the shapes, or a row has queries and no keys. Row i of the queries attends to row i of the keys.
// Differentiable; backward recomputes the probabilities, so memory is linear in the tokens, not
// quadratic in the longest row. `keys` are the dropout keys of the query tokens. Vaswani et al.
// 2017, equation 1.
//
// relative_position_bias [heads, 2 reach + 1], if defined, adds its element [head, reach + d] to
// the score of the key at the query's position + d, for d from -reach to reach (Raffel et al. 2020,
// section 2.1); no row may be longer than reach + 1, nor than that of `distances`, which go with
// neither `window` nor `key_heads`.
//
// Tensors on other devices use models/ops/aten_path.h.
at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const Offsets& query_offsets, const Offsets& key_offsets,
                            const AttentionSettings& settings, const DropoutKeys& keys,
                            const at::Tensor& relative_position_bias = {},
                            const DistanceVectors& distances = {});

}  // namespace rubric::models
