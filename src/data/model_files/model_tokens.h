// The special tokens and generation settings in a model's config.json and generation_config.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace rubric::data {

struct ModelTokens {
  // Causal language models (GPT-2) read source and target as one sequence.
  bool is_causal = false;
  bool starts_with_bos = false;  // may force bos and eos in texts that it writes (BART)
  text::TokensAround around;     // the tokenizer's, which the files that are read here do not say
  std::optional<int64_t> bos, eos;
  // What the decoder reads first: before a given target, and before a text that it writes.
  std::optional<int64_t> decoder_start, generation_start;
  std::optional<int64_t> target_end;  // ends a target: eos, unless another token is used
  std::vector<int64_t> eos_ids;       // each of them ends a generated text; none: nothing does
  std::optional<int64_t> forced_bos,
      forced_eos;             // first token of a generated text; last one at the maximum length
  int64_t max_positions = 0;  // of the model; 0: unlimited
};

// Reads config.json and generation_config.json as transformers 5 does: a given target's start is
// config.json's; a written text's start, ends and forced tokens are generation_config.json's alone,
// where there is one, its start being bos_token_id where it names none. `_from_model_config: true`
// there changes nothing. (transformers 4 then ignores the file: all is config.json's.) Other ids
// are generation_config.json's, else config.json's. Throws InputError for negative ids, an
// encoder-decoder without decoder_start_token_id and a model without eos_token_id.
ModelTokens read_model_tokens(const std::filesystem::path& model_directory);

// The decoding settings of generation_config.json (or, without one, config.json) that differ from
// transformers' defaults, tokens excepted, as "num_beams 4"; of generation_config.json also those
// that we do not know. We ignore them: the caller chooses how
// to decode, and users of transformers should be told.
std::vector<std::string> ignored_generation_settings(const std::filesystem::path& model_directory);

}  // namespace rubric::data
