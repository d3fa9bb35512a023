// e-SNLI (Camburu et al. 2018): SNLI's pairs with up to three explanations each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric::data {

// Reads the published CSV (pairID, gold_label, Sentence1, Sentence2, Explanation_1 and, except for
// the training split, Explanation_2 and Explanation_3) or LAS's TSV (unique_key, label as a number,
// premise, hypothesis, explanation1 to explanation3), in file order. With `explanation` 1, 2 or 3
// each row gives one example with that explanation; with kAllExplanations one for each explanation
// column, with ids ID/1 and so on. The choices are entailment, neutral, contradiction. Throws
// InputError naming file, line and column.
std::vector<RationaleExample> read_esnli(const std::filesystem::path& file,
                                         int64_t explanation = 1);

inline constexpr RationaleReader kEsnli = {
    .name = "esnli",
    .summary = "SNLI's pairs with up to three explanations each (Camburu et al. 2018)",
    .read_explanation = read_esnli};

}  // namespace rubric::data
