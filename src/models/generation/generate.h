// Which token comes next: the most probable one, or one drawn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rubric {

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

}  // namespace rubric
