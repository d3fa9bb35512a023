// Initial weights: of new models, and of tokens added to a vocabulary.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/architecture.h"

namespace rubric::models {

double reciprocal_root(int64_t value);  // 1/√value

// Fills the slots with their start values; drawn ones come from a normal distribution around 0. A
// function of the seed and the names.
void initialize_parameters(const ParameterSlots& slots, uint64_t seed,
                           const std::function<double(const std::string& name)>& deviation);

// Extends `table` [rows, width] to `size` rows. New rows are drawn around the mean of the others,
// with a billionth of their variance, as in transformers (mean_resizing) but for each number
// independently instead of with their covariance.
at::Tensor resized_embedding(const at::Tensor& table, int64_t size, uint64_t seed);

}  // namespace rubric::models
