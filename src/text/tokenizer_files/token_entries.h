// What files say about tokens, checked before it is used. Everything here that reads throws
// InputError naming `where`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text {

// The advice for files that cannot be what was published.
inline constexpr const char* kUseOriginalTokenizer =
    "use the file as it was published with the model";

// Sets `value` when `object` has the key.
void read_flag(const Json& object, std::string_view key, const std::string& where, bool& value);

// Not empty, valid UTF-8, at most Vocabulary::kLongestToken bytes.
void check_token(std::string_view token, const std::string& where);

// Adds a checked token with an id from 0 to ten million that is not in the vocabulary yet.
void add_checked(std::string_view token, int64_t id, const std::string& where,
                 Vocabulary& vocabulary);

// The tokens and ids of an object {"token": id}. An id that is no whole number or that is there
// twice is an error too.
Vocabulary read_vocabulary(const Json& entries, const std::string& where);

// The added tokens of tokenizer.json and of tokenizer_config.json, with their flags (false where
// missing), without their patterns. `config` has the key added_tokens_decoder.
std::vector<AddedToken> read_added_token_list(const Json& tokenizer_json, const std::string& file);
std::vector<AddedToken> read_added_tokens_decoder(const Json& config, const std::string& file);

// Appends the tokens of an added_tokens.json, {"token": id}, that are not among `tokens` with that
// id; they have no flags and count as ordinary text, as in transformers. Nothing where there is no
// such file.
void append_added_tokens_json(const std::filesystem::path& path, std::vector<AddedToken>& tokens);

// That no added token contradicts the vocabulary or another one.
void check_added_tokens(const std::vector<AddedToken>& tokens, const Vocabulary& vocabulary,
                        const std::string& file);

// Puts a token among `tokens` as `tokenizers` does: over one with the same content, whose id it
// takes, else with its id in the vocabulary, else with the next id of both.
void put_added_token(AddedToken token, const Vocabulary& vocabulary,
                     std::vector<AddedToken>& tokens);

// Adds tokens as add_tokens of transformers adds texts: added tokens stay what they are, others are
// looked for in normalised text. Throws InputError for one that cannot be a token.
void add_new_tokens(const std::vector<std::string>& contents, const Vocabulary& vocabulary,
                    std::vector<AddedToken>& tokens);

// The JSON object in `path`; an empty one when there is no such file.
Json read_optional_object(const std::filesystem::path& path);

// Vocabulary and added tokens as one text, the same for the same content in any order: for
// fingerprints.
std::string tokens_text(const Vocabulary& vocabulary, std::vector<AddedToken> added_tokens);

// The largest id of both, and one.
int64_t count_ids(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens);

// Overwrites the options that `object` has. tokenizer.json and tokenizer_config.json have other
// names for two of them.
void read_options(const Json& object, std::string_view lowercase_key,
                  std::string_view chinese_chars_key, const std::string& where,
                  WordPieceOptions& options);

// What the files beside a vocabulary say about the tokens with a purpose: tokenizer_config.json and
// special_tokens_map.json, as transformers reads them.

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

// The tokenizer files of a model whose tokenizer got more tokens.

// Names and contents of files.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

// `files`, the tokenizer files of a model directory (others stay as they are), with `tokens` added.
// `tokenizer` is what open_generation_tokenizer makes of `files` as they are given; with `tokens`
// it gives the ids that our reader and transformers have for the result. They stand where
// add_tokens([...]) and save_pretrained of transformers put them: in the added tokens of
// tokenizer.json and in added_tokens_decoder of tokenizer_config.json, where these are, and in
// added_tokens.json, which has the ids beyond the vocabulary (all, where tokenizer_config.json
// lists none). Tokens that are added ones already stay as they are (where transformers saves
// a special one as an ordinary one). Throws InputError for files
// that are not what they should be, and for what cannot be a token.
NamedFiles with_added_tokens(NamedFiles files, const std::vector<std::string>& tokens,
                             const GenerationTokenizer& tokenizer);

}  // namespace rubric::text
