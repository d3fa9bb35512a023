// What BERTScore computes from embeddings (Zhang et al. 2020, section 3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/tokens/batches.h"
#include "text/tokenizer.h"

namespace rubric {

// How much each token of the vocabulary counts, by its id.
using TokenWeights = std::vector<double>;

// Every token counts the same; those around a row do not.
TokenWeights equal_weights(const Tokenizer& tokenizer);

// log((n + 1) / (occurring + 1)) over n documents (rows of `texts`; one that occurs twice counts
// twice): 0 for the tokens around a row, which are in all of them.
TokenWeights inverse_document_frequencies(const Tokenizer& tokenizer, const TokenBatch& texts,
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

}  // namespace rubric
