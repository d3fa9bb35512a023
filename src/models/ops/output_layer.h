// What the output layer, a linear map of states [tokens, width] to logits [tokens, vocabulary],
// gives: logits, and log-probabilities and cross-entropy of target tokens. Vocabularies have tens
// of thousands of entries, so the functions of targets compute them in chunks: on a CPU at most
// 2^22 logits on each thread, or 2^23 in training.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/linear.h"

namespace rubric::models {

// log p(targets[i] | states[i]) for states [tokens, width]; natural logarithm. Throws c10::Error,
// here and below, unless each token has a target, from 0 to below the vocabulary's size.
std::vector<float> target_log_probabilities(const at::Tensor& states, const Linear& output,
                                            std::span<const int64_t> targets);

// Minus the sum of these, a scalar; differentiable in the states and in the output layer, which
// must not be packed.
at::Tensor target_cross_entropy(const at::Tensor& states, const Linear& output,
                                std::span<const int64_t> targets);

// The logits of states [rows, width]: [rows, vocabulary].
at::Tensor logits(const at::Tensor& states, const Linear& output);

}  // namespace rubric::models
