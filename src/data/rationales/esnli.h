// e-SNLI (Camburu et al. 2018): SNLI's pairs with up to three explanations each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric {

constexpr int64_t kAllExplanations = 0;

// The published CSV (pairID, gold_label, Sentence1, Sentence2, Explanation_1 and, but for training,
// Explanation_2 and Explanation_3) or LAS's TSV (unique_key, label as a number, premise,
// hypothesis, explanation1 to explanation3), in file order. `explanation`: 1, 2 or 3, an example a
// row with that one; kAllExplanations: an example for each that the file has a column for, with ids
// ID/1 and so on. The choices are entailment, neutral, contradiction. Throws InputError naming
// file, line and column.
std::vector<FoundRationale> read_esnli(const std::filesystem::path& file, int64_t explanation = 1);

}  // namespace rubric
