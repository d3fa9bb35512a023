// Which token comes next: the most probable one, or one drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/model_files/model_tokens.h"
#include "data/source_targets/token_pairs.h"
#include "models/sequence_model.h"

namespace rubric::models {

struct SamplingOptions {
  double temperature = 1;  // logits are divided by it
  int64_t top_k = 0;       // the most probable so many; 0: all
  double top_p = 1;        // the fewest of the most probable that have so much probability together
};

// The probabilities of tokens: temperature, then top_k, then top_p, then softmax, as transformers
// orders them. Of tokens as probable as the last of top_k all stay; of those at the border of top_p
// the lower ids go first.
std::vector<float> sampling_probabilities(std::span<const float> logits,
                                          const SamplingOptions& options);

// The token whose part of [0, 1) `u` falls into; the probabilities sum to 1 but for rounding.
int64_t draw_token(std::span<const float> probabilities, double u);

bool are_finite(std::span<const float> logits);

// The largest of finite logits; of equal ones the first.
int64_t most_probable_token(std::span<const float> logits);

// Tokens that a model's configuration forces on every text it writes.

// The token at `place`, counted from 0, of a text of at most `max_new_tokens`: BART's first one
// (forced_bos_token_id), and the end where the text would be cut (forced_eos_token_id).
std::optional<int64_t> forced_token(const data::ModelTokens& tokens, int64_t place,
                                    int64_t max_new_tokens);

// Decoding: greedy, by sampling, or by beam search.

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
std::vector<std::vector<int64_t>> generate(const SequenceModel& model,
                                           const data::ModelTokens& tokens,
                                           const data::TokenPairs& starts,
                                           std::span<const int64_t> numbers,
                                           const GenerationOptions& options);

// Beam search as transformers 4.57 makes it (generation/utils.py, _beam_search).

// generate() with options.beams > 1. A source's search does not depend on the others'.
std::vector<std::vector<int64_t>> beam_search(const SequenceModel& model,
                                              const data::ModelTokens& tokens,
                                              const data::TokenPairs& starts,
                                              std::span<const int64_t> numbers,
                                              const GenerationOptions& options);

}  // namespace rubric::models
