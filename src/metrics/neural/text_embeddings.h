// The vectors of many texts while they are compared, each text computed once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "distributed/ranks.h"
#include "models/encoders/bert.h"
#include "metrics/neural/greedy_matching.h"

namespace rubric {

// A candidate against one of its references, by their rows among the texts.
struct TextPair {
  int64_t candidate, reference;
};

// Holds the vectors of the texts that are compared now, and of those that will be again.
class TextEmbeddings {
 public:
  // Of the output of layer `layer`, for all comparisons to come. The arguments must outlive this.
  TextEmbeddings(const Bert& model, int64_t layer, const TokenBatch& texts,
                 std::span<const TextPair> pairs, const Ranks& ranks = kOneProcess);

  bool has(int64_t row) const { return vectors_[static_cast<size_t>(row)].defined(); }

  // Computes texts that are not there yet in batches of at most `max_tokens` tokens, as
  // compute_batches() does, on all ranks. After each batch `advance` is told how many texts it had.
  void compute(const std::vector<int64_t>& rows, int64_t max_tokens,
               const std::function<void(int64_t)>& advance);

  EmbeddedText operator[](int64_t row) const;  // which must be there

  // These comparisons are done: forgets the texts that no other one needs.
  void release(std::span<const TextPair> pairs);

 private:
  at::Tensor embed(std::span<const int64_t> rows) const;  // one row's vectors after another

  const Bert& model_;
  int64_t layer_;
  const TokenBatch& texts_;
  const Ranks& ranks_;
  std::vector<at::Tensor> vectors_;  // by row; undefined: not computed, or done with
  std::vector<int64_t> uses_;        // by row: comparisons to come
};

}  // namespace rubric
