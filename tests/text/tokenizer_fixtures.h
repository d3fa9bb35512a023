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

constexpr char32_t kCodePoints = 0x110000;

// Which code points a set of codepoints.json holds: it gives them as ranges [first, last].
inline std::vector<bool> code_points(const Json& ranges) {
  std::vector<bool> held(kCodePoints);
  for (const Json& range : ranges.array()) {
    const auto first = static_cast<size_t>(range.array()[0].number()),
               last = static_cast<size_t>(range.array()[1].number());
    for (size_t c = first; c <= last; ++c) held.at(c) = true;
  }
  return held;
}

inline bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c < 0xE000;
}

}  // namespace rubric
