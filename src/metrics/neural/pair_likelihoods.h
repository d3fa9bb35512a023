// The log-probabilities of many targets, without gradients.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/tokens/batches_part.h"
#include "data/source_targets/token_pairs.h"
#include "models/sequence_model.h"

namespace rubric {

// log p(target token | source, the tokens before it) for each of `pairs.targets`, in their order;
// natural logarithm. Computed by compute_batches(), in batches of tokens_of_batch(). A source that
// several rows have is read, and counted, once by models that can, and its rows stand in one batch
// as far as `max_tokens` go. After each batch `advance` is told how many rows it had. The batches
// do not depend on the share: of several, only its own are computed, and the other values are 0.
std::vector<float> pair_likelihoods(const ConditionalModel& model, const TokenPairs& pairs,
                                    int64_t max_tokens,
                                    const std::function<void(int64_t)>& advance = {},
                                    WorkShare share = {});

// Of the tokens of one target.
double mean_log_probability(std::span<const float> values);

}  // namespace rubric
