// Decoding: the choice of the next token (greedy, sampling or beam search), tokens that a
// configuration forces, and the loop that generates texts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/model_files/model_tokens.h"
#include "data/source_targets/generate_request.h"
#include "data/tokens/batches.h"
#include "models/sequence_model.h"

namespace rubric::models {

struct SamplingOptions {
  double temperature = 1;  // divides the logits
  int64_t top_k = 0;       // keep the top_k most probable tokens; 0: all
  double top_p = 1;  // keep the fewest most probable tokens with at least this total probability
};

// The probabilities of tokens after temperature, top_k, top_p and softmax, in transformers' order.
// All tokens tied with the last of top_k stay; of ties at the border of top_p the lower ids are
// removed first.
std::vector<float> sampling_probabilities(std::span<const float> logits,
                                          const SamplingOptions& options);

// The token whose interval of [0, 1) contains `u`; the probabilities sum to 1 up to rounding.
int64_t draw_token(std::span<const float> probabilities, double u);

bool are_finite(std::span<const float> logits);

// The index of the largest of finite logits, the first on a tie.
int64_t most_probable_token(std::span<const float> logits);

// Forced tokens.

// The token that the configuration forces at position `place`, counted from 0, of a text of at most
// `max_new_tokens`: BART's first one (forced_bos_token_id), and the end where the text would be
// truncated (forced_eos_token_id).
std::optional<int64_t> forced_token(const data::ModelTokens& tokens, int64_t place,
                                    int64_t max_new_tokens);

// Generation.

struct GenerationOptions {
  int64_t max_new_tokens = 128;
  bool samples = false;  // sample tokens; else greedy decoding, for one beam
  SamplingOptions sampling = {};
  uint64_t seed = 0;  // for sampling
  int64_t beams = 1;
  double length_penalty = 1;  // a text's score is its log-probability / tokens ^ length_penalty
  data::EarlyStopping early_stopping = data::EarlyStopping::no;
};

// The new tokens of each row, including the end token if one ended it. `starts` are sources with
// the decoder's start token (PairEncoder::encode_source). Rows leave the batch as they end. A row's
// samples depend only on the seed, its number in `numbers`, and the position. Throws Error when a
// row's logits are not finite, Interrupted when a stop is requested.
std::vector<std::vector<int64_t>> generate(const SequenceModel& model,
                                           const data::ModelTokens& tokens,
                                           const data::TokenPairs& starts,
                                           std::span<const int64_t> numbers,
                                           const GenerationOptions& options);

// Beam search.

// generate() with options.beams > 1, as transformers 4.57 does it (generation/utils.py,
// _beam_search). A source's search does not depend on the other sources.
std::vector<std::vector<int64_t>> beam_search(const SequenceModel& model,
                                              const data::ModelTokens& tokens,
                                              const data::TokenPairs& starts,
                                              std::span<const int64_t> numbers,
                                              const GenerationOptions& options);

}  // namespace rubric::models
