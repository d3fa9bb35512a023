// Prediction files of derivations, as `evaluate r4c` reads them: of R4C's baselines and of what a
// sequence model wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/derivations/readers.h"
#include "data/rows/input_format.h"

namespace rubric::data {

struct DerivationPredictions {
  Json json;  // {"re": {ID: DERIVATION}}, of a baseline with its supporting facts, "sp"
  int64_t questions = 0, steps = 0;
  std::vector<std::string> malformed;  // ids of texts that are no derivation: it has no steps
};

// core_derivation() or ie_derivation().
using DerivationBaseline = Derivation (*)(const SupportingFact& fact,
                                          std::span<const ParsedSentence> sentences);

// The steps of each supporting fact, by question, of `articles` (HotpotQA's JSON) and `parses`
// (CoNLL-U). Throws InputError as their readers do, and for supporting facts that are not parsed.
DerivationPredictions baseline_predictions(const std::filesystem::path& articles,
                                           const std::filesystem::path& parses,
                                           DerivationBaseline derive);

// The derivations of rows of "id" and text, in `field`, as derivation_text() writes them. Throws
// InputError for a file without rows, and for a row without id or field, or with an id that was
// there.
DerivationPredictions text_predictions(const std::filesystem::path& file, InputFormat format,
                                       const std::string& field);

}  // namespace rubric::data
