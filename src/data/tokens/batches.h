// Token ids of many rows, one after another without padding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/system/parallel.h"

namespace rubric::data {

struct TokenBatch {
  std::vector<int64_t> ids, segments;
  std::vector<int64_t> offsets = {0};  // row i is [offsets[i], offsets[i+1])

  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t length(int64_t row) const {
    return offsets[static_cast<size_t>(row) + 1] - offsets[static_cast<size_t>(row)];
  }
};

// The named rows of `source`, in that order.
TokenBatch select_rows(const TokenBatch& source, std::span<const int64_t> rows);

// Which examples make each global batch, and how a batch is cut into pieces that fit in memory.

using ExampleIndices = std::vector<int64_t>;

// The global batches of one epoch: a pure function of its arguments. Examples are shuffled, sorted
// by length inside windows of `window` batches, cut into batches, and the batches of the epoch are
// shuffled. Every example occurs once; only one batch may be smaller than `batch_size`.
std::vector<ExampleIndices> epoch_batches(std::span<const int64_t> lengths, int64_t batch_size,
                                          int64_t window, uint64_t seed, int64_t epoch);

// A batch cut into runs of at most `max_tokens` tokens, in order; an example longer than that
// stands alone. The pieces point into `batch`.
std::vector<std::span<const int64_t>> micro_batches(std::span<const int64_t> batch,
                                                    std::span<const int64_t> lengths,
                                                    int64_t max_tokens);

// Every share.count-th of `examples`, from place share.index on: of examples that are sorted by
// length every share has about the same work.
ExampleIndices share_of(std::span<const int64_t> examples, WorkShare share);

// All of 0 … size-1, longest first: the order in which scoring pads and waits least.
ExampleIndices longest_first(std::span<const int64_t> lengths);

}  // namespace rubric::data
