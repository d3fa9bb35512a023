// What files say about single tokens, checked before it is used. Everything here throws InputError
// naming `where`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/json.h"
#include "text/added_tokens.h"
#include "text/basic_tokenizer.h"
#include "text/vocabulary.h"

namespace rubric {

// The advice for files that cannot be what was published.
inline constexpr const char* kUseOriginalTokenizer =
    "use the file as it was published with the model";

// Not empty, valid UTF-8, at most Vocabulary::kLongestToken bytes.
void check_token(std::string_view token, const std::string& where);

// Adds a checked token with an id from 0 to ten million that is not in the vocabulary yet.
void add_checked(std::string_view token, int64_t id, const std::string& where,
                 Vocabulary& vocabulary);

// An added token with its flags (false where missing), without its pattern.
AddedToken read_added_token(const Json& entry, int64_t id, const std::string& where);

// Overwrites the options that `object` has. tokenizer.json and tokenizer_config.json have other
// names for two of them.
void read_options(const Json& object, std::string_view lowercase_key,
                  std::string_view chinese_chars_key, const std::string& where,
                  WordPieceOptions& options);

}  // namespace rubric
