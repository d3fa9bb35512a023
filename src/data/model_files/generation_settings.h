// How a model wants its texts to be searched for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubric {

// What generation_config.json (or without one config.json, as in transformers) sets of decoding,
// other than transformers' defaults and tokens, as "num_beams 4". How a text is searched for is the
// caller's choice here, and who knows the model from transformers wants to be told.
std::vector<std::string> ignored_generation_settings(const std::filesystem::path& model_directory);

}  // namespace rubric
