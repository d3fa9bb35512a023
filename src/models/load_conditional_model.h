// A model directory in Hugging Face's layout, opened as a model that writes.
#pragma once

#include <filesystem>
#include <memory>

#include "models/sequence_model.h"

namespace rubric {

// Rows of the embedding that config.json asks for. Throws InputError as load_conditional_model()
// does for what config.json says.
int64_t configured_vocabulary_size(const std::filesystem::path& directory);

// T5, mT5, BART or GPT-2, as config.json's model_type says. Names of the weights may lack the
// prefix "model." (BART) or "transformer." (GPT-2), and tied tensors may be there more than once.
// Throws InputError for other architectures, and listing tensors that are missing, mis-shaped or
// unexpected.
std::unique_ptr<ConditionalModel> load_conditional_model(const std::filesystem::path& directory);

// The same of config.json alone, with random weights (models/initial_weights.h).
std::unique_ptr<ConditionalModel> new_conditional_model(const std::filesystem::path& directory,
                                                        uint64_t seed);

}  // namespace rubric
