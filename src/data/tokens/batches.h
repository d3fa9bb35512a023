// Batches of token ids without padding, and how the examples of an epoch are divided into batches
// and micro-batches.
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
  // [rows, features], row by row: the numbers that a model reads beside the tokens of a row
  // (metrics/ngram/answer_features.h). Empty for a model that reads none.
  std::vector<float> features;

  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t length(int64_t row) const {
    return offsets[static_cast<size_t>(row) + 1] - offsets[static_cast<size_t>(row)];
  }
};

// Rows of tokens from their tokenisation until their forward pass, in four bytes a token: less than
// their texts take.
class KeptRows {
 public:
  void append(const TokenBatch& rows);  // without their features
  TokenBatch rows(int64_t begin, int64_t end) const;
  int64_t size() const { return static_cast<int64_t>(offsets_.size()) - 1; }

 private:
  std::vector<uint32_t> tokens_;  // twice the id, and 1 in the second segment
  std::vector<size_t> offsets_ = {0};
  bool has_segments_ = false;
};

// The given rows of `source`, in that order.
TokenBatch select_rows(const TokenBatch& source, std::span<const int64_t> rows);

// Tokenised pairs; row i of each member belongs to pair i. A causal model reads a row of `sources`
// followed by that of `decoder_inputs` as one sequence; an encoder-decoder reads the first with its
// encoder stack and the second with its decoder stack.
struct TokenPairs {
  TokenBatch sources;         // without segments
  TokenBatch decoder_inputs;  // the targets shifted right by one
  // The token to predict at each position of decoder_inputs; empty for generation.
  std::vector<int64_t> targets;
  // Number of leading targets of each row that are given and not scored.
  std::vector<int64_t> given;

  int64_t rows() const { return sources.rows(); }
  int64_t tokens(int64_t row) const { return sources.length(row) + decoder_inputs.length(row); }
};

// Indices of training or scoring examples.
using ExampleIndices = std::vector<int64_t>;

// The global batches of one epoch: a pure function of its arguments. Examples are shuffled, sorted
// by length inside windows of `window` batches, divided into batches, and the batches are shuffled.
// Every example occurs once; at most one batch is smaller than `batch_size`.
std::vector<ExampleIndices> epoch_batches(std::span<const int64_t> lengths, int64_t batch_size,
                                          int64_t window, uint64_t seed, int64_t epoch);

// Divides a batch, in order, into micro-batches of at most `max_tokens` tokens; a longer example is
// a micro-batch of its own. The micro-batches point into `batch`.
std::vector<std::span<const int64_t>> micro_batches(std::span<const int64_t> batch,
                                                    std::span<const int64_t> lengths,
                                                    int64_t max_tokens);

// Every share.count-th of `examples`, from index share.index on. If examples are sorted by length,
// every share has about the same work.
ExampleIndices share_of(std::span<const int64_t> examples, WorkShare share);

// The indices 0 … size-1, longest first: the order in which scoring needs least padding and
// waiting.
ExampleIndices longest_first(std::span<const int64_t> lengths);

}  // namespace rubric::data
