// Reads and checks what the tokenizer files of a model directory say about tokens, and writes these
// files with added tokens. Every function that reads throws InputError naming `where`.
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

// The advice for files that differ from published ones.
inline constexpr const char* kUseOriginalTokenizer =
    "use the file as it was published with the model";

// Sets `value` if `object` has the key.
void read_flag(const Json& object, std::string_view key, const std::string& where, bool& value);

// Checks that the token is not empty, valid UTF-8, and at most Vocabulary::kLongestToken bytes
// long.
void check_token(std::string_view token, const std::string& where);

// Adds a token after checking it: its id must be from 0 to ten million, and it must not be in the
// vocabulary yet.
void add_checked(std::string_view token, int64_t id, const std::string& where,
                 Vocabulary& vocabulary);

// Reads an object {"token": id}. An id that is not an integer or that occurs twice is an error too.
Vocabulary read_vocabulary(const Json& entries, const std::string& where);

// Read the added tokens of tokenizer.json and of tokenizer_config.json, with their flags (default
// false), without their patterns. `config` must have the key added_tokens_decoder.
std::vector<AddedToken> read_added_token_list(const Json& tokenizer_json, const std::string& file);
std::vector<AddedToken> read_added_tokens_decoder(const Json& config, const std::string& file);

// Appends the tokens of an added_tokens.json, {"token": id}, that `tokens` lacks with that id; they
// have no flags and count as ordinary text, as in transformers. Does nothing if there is no such
// file.
void append_added_tokens_json(const std::filesystem::path& path, std::vector<AddedToken>& tokens);

// Checks that no added token contradicts the vocabulary or another added token.
void check_added_tokens(const std::vector<AddedToken>& tokens, const Vocabulary& vocabulary,
                        const std::string& file);

// Inserts a token into `tokens` as `tokenizers` does: it replaces a token with the same content and
// takes its id, else gets its id in the vocabulary, else the next free id.
void put_added_token(AddedToken token, const Vocabulary& vocabulary,
                     std::vector<AddedToken>& tokens);

// Adds tokens as add_tokens of transformers adds strings: existing added tokens stay as they are,
// new ones are found in normalised text. Throws InputError for a text that cannot be a token.
void add_new_tokens(const std::vector<std::string>& contents, const Vocabulary& vocabulary,
                    std::vector<AddedToken>& tokens);

// Reads the JSON object in `path`; returns an empty object if there is no such file.
Json read_optional_object(const std::filesystem::path& path);

// Vocabulary and added tokens as one text for fingerprints; it does not depend on their order.
std::string tokens_text(const Vocabulary& vocabulary, std::vector<AddedToken> added_tokens);

// The largest id of both plus one.
int64_t count_ids(const Vocabulary& vocabulary, const std::vector<AddedToken>& added_tokens);

// Overwrites the options that `object` sets. tokenizer.json and tokenizer_config.json use different
// keys for two of them.
void read_options(const Json& object, std::string_view lowercase_key,
                  std::string_view chinese_chars_key, const std::string& where,
                  WordPieceOptions& options);

// The files that name the tokens with a role (cls, eos, …): tokenizer_config.json and
// special_tokens_map.json, as transformers reads them.
struct TokenizerSettings {
  Json config;  // tokenizer_config.json; an empty object without that file
  std::string config_file;
  Json special_tokens;  // special_tokens_map.json; also empty where `config` lists added tokens
  std::string special_tokens_file;
};

// Throws InputError for files that are not JSON objects.
TokenizerSettings read_tokenizer_settings(const std::filesystem::path& model_directory);

// Whether tokenizer_config.json lists all added tokens, so that no other file counts.
bool lists_added_tokens(const TokenizerSettings& settings);

// The class of tokenizer by which transformers chooses one, without "Fast" at its end
// ("T5Tokenizer"): that of tokenizer_config.json, else of config.json, else config.json's
// model_type ("t5"). Empty where there is none of them.
std::string tokenizer_class(const std::filesystem::path& model_directory,
                            const TokenizerSettings& settings);

// Whether tokenizer_config.json names a class without rules of its own: tokenizer.json alone
// counts, and only tokens that a file names have a role.
bool is_of_no_class(const TokenizerSettings& settings);

// The text of the token under `key` ("eos_token") in special_tokens_map.json, else in
// tokenizer_config.json, else `otherwise`. Empty where the file says null.
std::string named_token(const TokenizerSettings& settings, std::string_view key,
                        const std::string& otherwise);

// The tokens under additional_special_tokens, without ids. Throws InputError when that is not a
// list of tokens.
std::vector<AddedToken> additional_special_tokens(const TokenizerSettings& settings);

// The value of clean_up_tokenization_spaces; false by default.
bool cleans_up_spaces(const TokenizerSettings& settings);

// Files as names and contents.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

// Adds `tokens` to the tokenizer files of a model directory; other files stay as they are.
// `tokenizer` must be what open_generation_tokenizer returns for `files` and `tokens`: it gives the
// ids that our reader and transformers have for the result. The tokens are written where
// add_tokens([...]) and save_pretrained of transformers write them: in the added tokens of
// tokenizer.json and in added_tokens_decoder of tokenizer_config.json if these exist, and in
// added_tokens.json, which has the ids beyond the vocabulary (all ids, if tokenizer_config.json
// lists none). Existing added tokens stay as they are (transformers would save a special one as an
// ordinary one). Throws InputError for malformed files and for texts that cannot be tokens.
NamedFiles with_added_tokens(NamedFiles files, const std::vector<std::string>& tokens,
                             const GenerationTokenizer& tokenizer);

}  // namespace rubric::text
