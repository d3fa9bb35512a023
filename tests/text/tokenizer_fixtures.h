// What the tests of tokenizers share: the fixtures and how they are read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"
#include "text/tokenizer.h"

namespace rubric {

inline std::filesystem::path tokenizer_fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / "tokenizer" / name;
}

inline std::filesystem::path byte_bpe_fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / "byte_bpe" / name;
}

using Ids = std::vector<int64_t>;

inline Ids encode(const text::Tokenizer& tokenizer, std::string_view text) {
  Ids ids;
  tokenizer.encode(text, ids);
  return ids;
}

inline Ids ids_of(const Json& array) {
  Ids ids;
  for (const Json& id : array.array()) ids.push_back(static_cast<int64_t>(id.number()));
  return ids;
}

// Every case of a fixture file whose "tokenizer" is one that `find` gives a tokenizer for.
template <class Find>
size_t compare_cases(const std::filesystem::path& fixture, const Find& find) {
  size_t compared = 0;
  const Json cases = Json::parse_file(fixture);
  for (const Json& one : cases.array()) {
    const std::string& name = one.require_string("tokenizer", fixture);
    const text::Tokenizer* const tokenizer = find(name);
    if (tokenizer == nullptr) continue;
    const std::string& text = one.require_string("text", fixture);
    EXPECT_EQ(encode(*tokenizer, text), ids_of(one.require("ids", fixture)))
        << name << ": " << json_quote(text.substr(0, 200));
    ++compared;
  }
  return compared;
}

inline void expect_says(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) expect_contains(message, part);
}

// codepoints.json gives sets of characters as ranges [first, last].
inline bool in_ranges(const Json& ranges, char32_t c) {
  for (const Json& range : ranges.array()) {
    if (c < static_cast<char32_t>(range.array()[0].number())) return false;
    if (c <= static_cast<char32_t>(range.array()[1].number())) return true;
  }
  return false;
}

inline bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c < 0xE000;
}

}  // namespace rubric
