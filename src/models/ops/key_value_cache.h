// What decoders keep of the tokens they have read: the keys and values of each layer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/attention.h"

namespace rubric::models {

// A row's tokens, in blocks, head by head: attention reads them in the order of memory. A block is
// shared by the rows that have the same beginning until one of them writes into it, so that beams
// change places without copying what did not move.
class KeyValueCache {
 public:
  // `width` is how many numbers a key and a value have, all heads together.
  KeyValueCache(int64_t rows, int64_t layers, int64_t heads, int64_t width);

  int64_t rows() const { return static_cast<int64_t>(rows_.size()); }
  int64_t length(int64_t row) const { return rows_[static_cast<size_t>(row)].length; }
  // For how many there is memory, what rows share counted once: what tests go by.
  int64_t held_tokens() const;

  // Makes place for more tokens: row i gets those from offsets[i] to offsets[i+1].
  void extend(const Offsets& offsets);

  // Stores the keys and values of one layer at the places of the last extend(): float32 [tokens,
  // width], with the numbers of a token side by side.
  void put(int64_t layer, const at::Tensor& keys, const at::Tensor& values, const Offsets& offsets);

  // One token more in every row: extend(), and of each layer put() and attend() at once.
  void extend_by_one();
  at::Tensor attend_to_new(int64_t layer, const at::Tensor& q, const at::Tensor& k,
                           const at::Tensor& v, const AttentionSettings& settings,
                           const at::Tensor& distance_bias = {});

  // Attention of each row's last token, q [rows, width], over all of its tokens: [rows, width].
  // `distance_bias` is packed_attention's.
  at::Tensor attend(int64_t layer, const at::Tensor& q, const AttentionSettings& settings,
                    const at::Tensor& distance_bias = {}) const;

  // As Decoder::select().
  void select(std::span<const int64_t> rows);

 private:
  struct Row {
    std::vector<std::shared_ptr<at::Tensor>> blocks;  // [layers, 2, heads, kBlock, head size]
    int64_t length = 0;
  };
  std::vector<Row> rows_;
  int64_t layers_, heads_, width_;
};

// Keys and values of sources, which every step reads and none changes. A source is kept as long as
// a row needs it.
class SourceCache {
 public:
  SourceCache(int64_t layers, int64_t heads)
      : layers_(static_cast<size_t>(layers)), heads_(heads) {}

  // Of one layer: [tokens of all sources, width], row i those of offsets[i] to offsets[i+1].
  void put(int64_t layer, const at::Tensor& keys, const at::Tensor& values, const Offsets& offsets);

  at::Tensor attend(int64_t layer, const at::Tensor& q, const AttentionSettings& settings) const;

  void select(std::span<const int64_t> rows);

  int64_t held_tokens() const;  // likewise, of all layers

 private:
  struct Source {
    at::Tensor keys, values;  // [heads, tokens, head size]
  };
  std::vector<std::vector<Source>> layers_;  // [layer][row]; tensors are shared by rows of a source
  int64_t heads_;
};

}  // namespace rubric::models
