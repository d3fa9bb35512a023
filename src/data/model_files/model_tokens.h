// What a model's configuration says about tokens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubric::data {

struct ModelTokens {
  bool is_causal = false;        // reads source and target as one sequence (GPT-2)
  bool starts_with_bos = false;  // puts bos before a text, too (BART)
  std::optional<int64_t> bos, eos, decoder_start;
  std::optional<int64_t> target_end;  // what ends the target of a pair: eos, unless another is used
  std::vector<int64_t> ends;          // any of them ends a generated text
  std::optional<int64_t> forced_bos, forced_eos;  // a generated text's first, and its last at most
  int64_t longest = 0;  // tokens that the model has positions for; 0: any number
};

// Of config.json; what generation_config.json says counts before it, as in transformers.
// Throws InputError for ids that are negative, an encoder-decoder without decoder_start_token_id
// and a model without eos_token_id.
ModelTokens read_model_tokens(const std::filesystem::path& model_directory);

// How a model wants its texts to be searched for.

// What generation_config.json (or without one config.json, as in transformers) sets of decoding,
// other than transformers' defaults and tokens, as "num_beams 4". How a text is searched for is the
// caller's choice here, and who knows the model from transformers wants to be told.
std::vector<std::string> ignored_generation_settings(const std::filesystem::path& model_directory);

}  // namespace rubric::data
