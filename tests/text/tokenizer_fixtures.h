// What the tests of tokenizers share: the fixtures and how they are read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric {

inline std::filesystem::path tokenizer_fixture(const std::string& name) {
  return std::filesystem::path(RUBRIC_FIXTURES) / "tokenizer" / name;
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
