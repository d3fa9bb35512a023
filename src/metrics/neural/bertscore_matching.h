// The parts of BERTScore (Zhang et al. 2020, section 3): distinct texts as token rows, token
// weights, greedy matching, and the embeddings of the texts being compared.
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
  // Rows have at most `max_length` tokens, which is at least 2; longer texts are truncated at their
  // end.
  DistinctTexts(const text::Tokenizer& tokenizer, int64_t max_length);

  // Returns the text's row number, adding a row for a new text. Encodes as bert-score does:
  // stripped of white space, after a blank (which tells byte-level BPE that a word begins), in
  // [CLS] … [SEP]. An empty text is [CLS] [SEP].
  int64_t add(std::string_view text);

  const data::TokenBatch& rows() const { return rows_; }
  bool is_empty(int64_t row) const { return rows_.length(row) == 2; }
  int64_t truncated() const { return truncated_; }  // the number of truncated rows

 private:
  void encode(std::string_view stripped);

  const text::Tokenizer& tokenizer_;
  int64_t max_length_;
  data::TokenBatch rows_;
  int64_t truncated_ = 0;
  std::unordered_map<std::string, int64_t> known_;  // text → row
};

// Token weights and greedy matching.

// The weight of each token of the vocabulary, by its id.
using TokenWeights = std::vector<double>;

// Weight 1 for every token, 0 for the special tokens around a row.
TokenWeights equal_weights(const text::Tokenizer& tokenizer);

// log((n + 1) / (document frequency + 1)) over n documents (rows of `texts`; one listed twice
// counts twice): 0 for the special tokens around a row, which are in all of them.
TokenWeights inverse_document_frequencies(const text::Tokenizer& tokenizer,
                                          const data::TokenBatch& texts,
                                          std::span<const int64_t> documents);

// A text's tokens: their unit vectors, float32 [tokens, hidden], and ids.
struct EmbeddedText {
  at::Tensor vectors;
  std::span<const int64_t> ids;
};

struct Match {
  double precision = 0, recall = 0, f1 = 0;
  bool is_defined = true;  // false: all tokens of a text have weight 0, so there is no average
};

// The weighted average of each token's similarity to the most similar token of the other text. What
// is undefined is 0, and so is F1 then; for an empty text, [CLS] [SEP], all three are 0.
Match match_greedily(const EmbeddedText& candidate, const EmbeddedText& reference,
                     const TokenWeights& weights);

// Embeddings.

// A candidate and one of its references, as rows of the texts.
struct TextPair {
  int64_t candidate, reference;
};

// Holds the vectors of the texts that are being compared and of those needed again, each computed
// once.
class TextEmbeddings {
 public:
  // Vectors are the output of layer `layer`; `pairs` are all comparisons to come. The arguments
  // must outlive this.
  TextEmbeddings(const models::Encoder& model, int64_t layer, const data::TokenBatch& texts,
                 std::span<const TextPair> pairs,
                 const distributed::Ranks& ranks = distributed::kOneProcess);

  bool has(int64_t row) const { return vectors_[static_cast<size_t>(row)].defined(); }

  // Computes the texts of `rows` that are not held yet, in batches of at most `max_tokens` tokens
  // as compute_batches() does, on all ranks. Calls `advance` with the number of texts after each
  // batch.
  void compute(const std::vector<int64_t>& rows, int64_t max_tokens,
               const std::function<void(int64_t)>& advance);

  EmbeddedText operator[](int64_t row) const;  // requires has(row)

  // Marks these comparisons as done and drops the texts that no other one needs.
  void release(std::span<const TextPair> pairs);

 private:
  at::Tensor embed(std::span<const int64_t> rows) const;  // the rows' vectors, concatenated

  const models::Encoder& model_;
  int64_t layer_;
  const data::TokenBatch& texts_;
  const distributed::Ranks& ranks_;
  std::vector<at::Tensor> vectors_;  // by row; undefined: not computed or dropped
  std::vector<int64_t> uses_;        // by row: remaining comparisons
};

}  // namespace rubric::metrics
