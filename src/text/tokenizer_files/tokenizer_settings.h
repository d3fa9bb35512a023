// What the files beside a vocabulary say about the tokens with a purpose: tokenizer_config.json and
// special_tokens_map.json, as transformers reads them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "text/added_tokens.h"

namespace rubric {

struct TokenizerSettings {
  Json config;  // tokenizer_config.json; an empty object where there is none
  std::string config_file;
  Json special_tokens;  // special_tokens_map.json; empty, too, where `config` lists added tokens
  std::string special_tokens_file;
};

// Throws InputError for files that are not JSON objects.
TokenizerSettings read_tokenizer_settings(const std::filesystem::path& model_directory);

// Whether tokenizer_config.json lists all added tokens, so that no other file counts.
bool lists_added_tokens(const TokenizerSettings& settings);

// The text of the token under `key` ("eos_token"): that of special_tokens_map.json, else of
// tokenizer_config.json, else `otherwise`. Empty where the file says null.
std::string named_token(const TokenizerSettings& settings, std::string_view key,
                        const std::string& otherwise);

// Those under additional_special_tokens, without ids. Throws InputError where that is no list of
// tokens.
std::vector<AddedToken> additional_special_tokens(const TokenizerSettings& settings);

// clean_up_tokenization_spaces, false where nothing is said.
bool cleans_up_spaces(const TokenizerSettings& settings);

}  // namespace rubric
