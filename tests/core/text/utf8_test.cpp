#include "core/text/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace rubric::utf8_test {

using namespace std::string_literals;

constexpr size_t kValid = std::string_view::npos;

// RFC 3629, section 3, derived anew: encode every code point, and only those decode.
std::string encode(unsigned code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c < 0xE000;
}

TEST(FindInvalidText, TakesEveryCodePointButSurrogatesAndControls) {
  for (unsigned code = 0; code < 0x120000; ++code) {
    const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
    const bool valid = code < 0x110000 && !is_surrogate(code);
    ASSERT_EQ(find_invalid_text(encode(code)), valid && !control ? kValid : 0) << code;
    ASSERT_EQ(is_valid_utf8(encode(code)), valid) << code;
  }
}

TEST(FindInvalidText, RefusesOverlongFormsAndCutCharacters) {
  for (const char* const text : {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF",
                                 "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80", "\xFF",
                                 "\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xE2\x28\xA1"}) {
    EXPECT_EQ(find_invalid_text("ab"s + text), 2u);
    EXPECT_FALSE(is_valid_utf8("ab"s + text));
  }
}

TEST(FindInvalidText, TellsWhere) {
  EXPECT_EQ(find_invalid_text(""), kValid);
  EXPECT_EQ(find_invalid_text("a\tb\r\né 😀"), kValid);
  EXPECT_EQ(find_invalid_text("é\x01"), 2u);
  EXPECT_EQ(find_invalid_text(std::string_view("a\0b", 3)), 1u);
}

// Replacement characters as Python's bytes.decode("utf-8", errors="replace") writes them.
TEST(Utf8, RepairsEachMaximalInvalidPart) {
  const std::string r = "\uFFFD";
  EXPECT_EQ(repair_utf8("plain é 中 😀"), "plain é 中 😀");
  EXPECT_EQ(repair_utf8("a\0b"s), "a\0b"s);
  EXPECT_EQ(repair_utf8("a\x80z"), "a" + r + "z");            // a lone continuation
  EXPECT_EQ(repair_utf8("\xE2\x82z"), r + "z");               // cut off, then text
  EXPECT_EQ(repair_utf8("\xF0\x9F\x98"), r);                  // cut off at the end
  EXPECT_EQ(repair_utf8("\xF0\x9F\xC3\xA9"), r + "é");        // cut off by a whole one
  EXPECT_EQ(repair_utf8("\xC0\x80"), r + r);                  // overlong
  EXPECT_EQ(repair_utf8("\xE0\x80\x80"), r + r + r);          // overlong
  EXPECT_EQ(repair_utf8("\xED\xA0\x80"), r + r + r);          // a surrogate
  EXPECT_EQ(repair_utf8("\xF4\x90\x80\x80"), r + r + r + r);  // over U+10FFFF
  EXPECT_EQ(repair_utf8("\xFE\xFF"), r + r);
}

TEST(Utf8, EveryCharacterComesBack) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (is_surrogate(c)) continue;
    std::string text = "é";
    append_utf8(c, text);
    size_t position = 2;
    ASSERT_EQ(decode_utf8(text, position), c);
    ASSERT_EQ(position, text.size());
    ASSERT_EQ(decode_utf8_backwards(text, position), c);
    ASSERT_EQ(position, 2u);
  }
}

TEST(Utf8, DecodesBackwardsOverInvalidBytes) {
  const std::string text = "a\x80\xE2\x82";
  size_t position = text.size();
  EXPECT_EQ(decode_utf8_backwards(text, position), kReplacementCharacter);
  EXPECT_EQ(position, 2u);
  EXPECT_EQ(decode_utf8_backwards(text, position), kReplacementCharacter);
  EXPECT_EQ(decode_utf8_backwards(text, position), U'a');
  EXPECT_EQ(position, 0u);
}

}  // namespace rubric::utf8_test
