// Attention of one head of one sequence, in blocks of queries whose scores stay in the processor's
// cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

namespace rubric::models {

// A matrix in memory, row by row, with `stride` numbers between rows. A head is a few dozen columns
// of a packed tensor; slices of q, k, v and out would be four tensor objects for each.
template <class Number>
struct Matrix {
  Number* data;
  int64_t rows, columns, stride;
};
using Input = Matrix<const float>;
using Output = Matrix<float>;

// Dropout of probabilities; the mask is that of apply_mask(), the key's position its element.
struct HeadDropout {
  const int64_t* keys = nullptr;  // one for each query; null: no dropout
  double rate = 0;
  uint64_t site = 0;
};

// The keys from `begin` to before `end`.
struct KeyRange {
  int64_t begin, end;
};

// What a query sees of `keys` keys; see AttentionSettings.
inline KeyRange visible_keys(int64_t query, int64_t keys, bool causal,
                             const std::optional<int64_t>& window) {
  const int64_t end = causal ? query + 1 : keys;
  if (!window) return {0, end};
  return {std::max<int64_t>(0, query - *window), std::min(end, query + *window + 1)};
}

// Vectors of distances, transposed and padded for attend().
struct DistanceTable {
  at::Tensor numbers;  // [size, 2 reach]: column reach + d is the vector of distance d
  int64_t reach = 0;
};

// Row vector_of[step * d] of `vectors` [rows, size] for each distance d from -reach to reach;
// `rounded` as that of the attention that reads it.
DistanceTable make_distance_table(const Input& vectors, const int64_t* vector_of, int64_t step,
                                  int64_t reach, bool rounded);

struct HeadAttention {
  Input q, k, v;                       // [queries, size], [keys, size], [keys, size]
  Output out;                          // [queries, size]
  float scale;                         // of the scores
  bool causal;                         // query i sees the keys up to i
  std::optional<int64_t> window = {};  // and those at most this far from i
  // biases[j - i] is added to the score of key j for query i; or null
  const float* biases = nullptr;
  // Unless null: q_i · (vector of j - i) and k_j · (vector of i - j) are added to the score of key
  // j for query i before it is scaled; without `window`.
  const DistanceTable *distance_keys = nullptr, *distance_queries = nullptr;
  HeadDropout dropout = {};
  bool rounded = false;  // see AttentionSettings
};

// out = drop(softmax(scale (q k^T + terms of distances) + bias)) v
void attend(const HeadAttention& head);

// The softmax of the visible numbers times `scale`, with those of `bias` added unless it is null;
// the rest of the row becomes 0.
void softmax_row(float* row, KeyRange visible, int64_t columns, float scale, const float* bias);

}  // namespace rubric::models
