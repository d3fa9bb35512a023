// Key-value caches of decoders: of the tokens read so far, and of the sources for cross-attention.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/attention.h"

namespace rubric::models {

// Keys and values of each row's tokens, in blocks, head by head, in the order in which attention
// reads them. Rows with the same beginning share a block until one of them writes into it (copy on
// write), so beams are reordered without copying.
class KeyValueCache {
 public:
  // `heads` are those of keys and values, `width` the size of a key or value over all of them.
  KeyValueCache(int64_t rows, int64_t layers, int64_t heads, int64_t width);

  int64_t rows() const { return static_cast<int64_t>(rows_.size()); }
  int64_t length(int64_t row) const { return rows_[static_cast<size_t>(row)].length; }
  // The number of tokens that memory is held for, shared ones counted once; for tests.
  int64_t held_tokens() const;

  // Makes room for more tokens: row i gets those from offsets[i] to offsets[i+1].
  void extend(const Offsets& offsets);

  // Stores one layer's keys and values for the tokens of the last extend(): float32 [tokens,
  // width], with a token's numbers contiguous.
  void put(int64_t layer, const at::Tensor& keys, const at::Tensor& values, const Offsets& offsets);

  // Adds one token to every row: extend_by_one() extends, and attend_to_new() does put() and
  // attend() of a layer.
  void extend_by_one();
  at::Tensor attend_to_new(int64_t layer, const at::Tensor& q, const at::Tensor& k,
                           const at::Tensor& v, const AttentionSettings& settings,
                           const at::Tensor& relative_position_bias = {});

  // Attention of each row's last token, q float32 [rows, width of all queries], over all of its
  // tokens, of which it has one or more, or those in the settings' window: the shape of q.
  // `relative_position_bias` is as for packed_attention() and reaches over the longest row, which
  // is not checked here.
  at::Tensor attend(int64_t layer, const at::Tensor& q, const AttentionSettings& settings,
                    const at::Tensor& relative_position_bias = {}) const;

  // See Decoder::select().
  void select(std::span<const int64_t> rows);

 private:
  struct Row {
    std::vector<std::shared_ptr<at::Tensor>> blocks;  // [layers, 2, heads, kBlock, head size]
    int64_t length = 0;
  };
  std::vector<Row> rows_;
  int64_t layers_, heads_, width_;
};

// Keys and values of the sources, which are never changed. A source is kept as long as a row needs
// it.
class SourceCache {
 public:
  SourceCache(int64_t layers, int64_t heads)
      : layers_(static_cast<size_t>(layers)), heads_(heads) {}

  // Stores one layer's, float32 [tokens of all sources, width]; row i has those from offsets[i] to
  // offsets[i+1], at least one.
  void put(int64_t layer, const at::Tensor& keys, const at::Tensor& values, const Offsets& offsets);

  // Attention of q, float32 [rows, width], over each row's source: [rows, width].
  at::Tensor attend(int64_t layer, const at::Tensor& q, const AttentionSettings& settings) const;

  void select(std::span<const int64_t> rows);

  int64_t held_tokens() const;  // as above, over all layers

 private:
  struct Source {
    at::Tensor keys, values;  // [heads, tokens, head size]
  };
  std::vector<std::vector<Source>> layers_;  // [layer][row]; rows of one source share tensors
  int64_t heads_;
};

}  // namespace rubric::models
