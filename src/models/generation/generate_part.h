// Decoding: greedy, by sampling, or by beam search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/source_targets/token_pairs.h"
#include "models/generation/generate.h"
#include "models/sequence_model.h"

namespace rubric {

// When a beam search ends that has as many finished texts as beams (transformers' early_stopping).
enum class EarlyStopping {
  no,    // when the best unfinished one, as long as it is, is no better than the worst of them
  yes,   // at once
  never  // when it could be no better at any length
};

struct GenerationOptions {
  int64_t max_new_tokens = 128;
  bool samples = false;  // else the most probable token, of one beam
  SamplingOptions sampling = {};
  uint64_t seed = 0;  // of the samples
  int64_t beams = 1;
  double length_penalty = 1;  // a text's score is its log-probability / tokens ^ length_penalty
  EarlyStopping early_stopping = EarlyStopping::no;
};

// The new tokens of each row, with the token that ended it where it was ended. `starts` are sources
// with the token to start with (PairEncoder::encode_source). Rows leave the batch as they end. What
// is drawn for a row depends on the seed, its number in `numbers`, and the place alone. Throws
// Error when a row's logits are not finite, Interrupted when a stop is requested.
std::vector<std::vector<int64_t>> generate(const ConditionalModel& model, const ModelTokens& tokens,
                                           const TokenPairs& starts,
                                           std::span<const int64_t> numbers,
                                           const GenerationOptions& options);

}  // namespace rubric
