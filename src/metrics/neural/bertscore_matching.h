// The texts of a file as rows of tokens, each distinct one once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/tokens/batches.h"
#include "distributed/ranks.h"
#include "models/encoders/encoder.h"
#include "text/tokenizer.h"

namespace rubric::metrics {

class DistinctTexts {
 public:
  // Rows of at most `max_length` tokens, 2 at least; longer ones are cut at their end.
  DistinctTexts(const text::Tokenizer& tokenizer, int64_t max_length);

  // The number of the text's row, a new one for a new text. As bert-score encodes it: without white
  // space around it, behind a blank (which tells byte-level BPE that a word begins), in [CLS] …
  // [SEP]. An empty text is [CLS] [SEP].
  int64_t add(std::string_view text);

  const data::TokenBatch& rows() const { return rows_; }
  bool is_empty(int64_t row) const { return rows_.length(row) == 2; }
  int64_t truncated() const { return truncated_; }  // rows that were cut

 private:
  void encode(std::string_view stripped);

  const text::Tokenizer& tokenizer_;
  int64_t max_length_;
  data::TokenBatch rows_;
  int64_t truncated_ = 0;
  std::unordered_map<std::string, int64_t> known_;  // text → row
};

// What BERTScore computes from embeddings (Zhang et al. 2020, section 3).

// How much each token of the vocabulary counts, by its id.
using TokenWeights = std::vector<double>;

// Every token counts the same; those around a row do not.
TokenWeights equal_weights(const text::Tokenizer& tokenizer);

// log((n + 1) / (occurring + 1)) over n documents (rows of `texts`; one that occurs twice counts
// twice): 0 for the tokens around a row, which are in all of them.
TokenWeights inverse_document_frequencies(const text::Tokenizer& tokenizer,
                                          const data::TokenBatch& texts,
                                          std::span<const int64_t> documents);

// A text's tokens: unit vectors, float32 [tokens, hidden], and their ids.
struct EmbeddedText {
  at::Tensor vectors;
  std::span<const int64_t> ids;
};

struct Match {
  double precision = 0, recall = 0, f1 = 0;
  bool is_defined = true;  // false: a text has no token that counts, over which to average
};

// Each token's similarity to the most similar one of the other text, averaged with its weight.
// What is undefined is 0, and F1 with it; of an empty text, [CLS] [SEP], so are all three.
Match match_greedily(const EmbeddedText& candidate, const EmbeddedText& reference,
                     const TokenWeights& weights);

// The vectors of many texts while they are compared, each text computed once.

// A candidate against one of its references, by their rows among the texts.
struct TextPair {
  int64_t candidate, reference;
};

// Holds the vectors of the texts that are compared now, and of those that will be again.
class TextEmbeddings {
 public:
  // Of the output of layer `layer`, for all comparisons to come. The arguments must outlive this.
  TextEmbeddings(const models::Encoder& model, int64_t layer, const data::TokenBatch& texts,
                 std::span<const TextPair> pairs,
                 const distributed::Ranks& ranks = distributed::kOneProcess);

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

  const models::Encoder& model_;
  int64_t layer_;
  const data::TokenBatch& texts_;
  const distributed::Ranks& ranks_;
  std::vector<at::Tensor> vectors_;  // by row; undefined: not computed, or done with
  std::vector<int64_t> uses_;        // by row: comparisons to come
};

}  // namespace rubric::metrics
