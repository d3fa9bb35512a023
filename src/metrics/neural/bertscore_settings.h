// What bert-score ships beside its code: the layer that stands for a model, and baselines.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace rubric {

// The layer that bert-score 0.3.13 takes for a model of this name (its table model2layers, as far
// as the models are BERT or RoBERTa): the name as published, with or without its owner, or a folder
// of that name. Nothing for other models.
std::optional<int64_t> usual_layer(const std::string& model);

// Precision, recall and F1 of texts that have nothing to do with each other.
using Baseline = std::array<double, 3>;

// The row of `layer` in a file of bert-score's rescale_baseline/: CSV with the columns LAYER, P, R
// and F. Throws InputError naming file and line when there is none or a value is not below 1.
Baseline read_baseline(const std::filesystem::path& file, int64_t layer);

}  // namespace rubric
