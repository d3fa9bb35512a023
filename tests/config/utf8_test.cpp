#include "config/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace rubric {
namespace {

constexpr size_t kValid = std::string_view::npos;

// RFC 3629, section 3, derived anew: encode every code point, and only those decode.
std::string encode(unsigned code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Utf8, TakesEveryCodePointButSurrogatesAndControls) {
  for (unsigned code = 0; code < 0x120000; ++code) {
    const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool valid = !control && !surrogate && code < 0x110000;
    ASSERT_EQ(find_invalid_text(encode(code)), valid ? kValid : 0) << code;
  }
}

TEST(Utf8, RefusesOverlongFormsAndCutCharacters) {
  for (const char* const text : {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF",
                                 "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80", "\xFF",
                                 "\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xE2\x28\xA1"}) {
    EXPECT_EQ(find_invalid_text(std::string("ab") + text), 2u);
  }
}

TEST(Utf8, TellsWhere) {
  EXPECT_EQ(find_invalid_text(""), kValid);
  EXPECT_EQ(find_invalid_text("a\tb\r\né 😀"), kValid);
  EXPECT_EQ(find_invalid_text("é\x01"), 2u);
  EXPECT_EQ(find_invalid_text(std::string_view("a\0b", 3)), 1u);
}

}  // namespace
}  // namespace rubric
