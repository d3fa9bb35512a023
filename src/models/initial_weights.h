// Weights that no training has seen: of new models and of tokens that a vocabulary gains.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/architecture.h"
#include "models/causal/gpt2.h"
#include "models/seq2seq/t5.h"

namespace rubric::models {

// The standard deviation that transformers starts a parameter with (_init_weights).
double t5_deviation(const T5Config& config, const std::string& name);
double gpt2_deviation(const Gpt2Config& config, const std::string& name);

// Fills the slots with what they begin with; what is drawn is normally distributed around 0. A
// function of the seed and the names.
void initialize_parameters(const ParameterSlots& slots, uint64_t seed,
                           const std::function<double(const std::string& name)>& deviation);

// `table` [rows, width] with more rows, `size` in all. New ones are drawn around the mean of the
// others, with a billionth of their variance, as transformers does (mean_resizing), each number by
// itself instead of with their covariance.
at::Tensor resized_embedding(const at::Tensor& table, int64_t size, uint64_t seed);

}  // namespace rubric::models
