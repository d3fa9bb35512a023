#include "text/unicode.h"

#include "tokenizer_fixtures.h"

namespace rubric {
namespace {

using namespace std::string_literals;

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
  EXPECT_TRUE(is_valid_utf8("é中😀"));
  EXPECT_FALSE(is_valid_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_valid_utf8("abc\xC3"));
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

TEST(CharacterClasses, AreThoseOfTheReferenceForEveryCodePoint) {
  const Json table = Json::parse_file(tokenizer_fixture("codepoints.json"));
  const Json &removed = table.require("removed", ""), &blank = table.require("to_blank", ""),
             &cjk = table.require("cjk", ""), &stripped = table.require("stripped", ""),
             &white_space = table.require("split_white_space", ""),
             &punctuation = table.require("split_punctuation", "");
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (is_surrogate(c)) continue;
    ASSERT_EQ(is_removed_by_bert(c), in_ranges(removed, c)) << "code point " << uint32_t{c};
    ASSERT_EQ(is_white_space(c) && !is_removed_by_bert(c), in_ranges(blank, c)) << uint32_t{c};
    ASSERT_EQ(is_cjk_ideograph(c), in_ranges(cjk, c)) << "code point " << uint32_t{c};
    ASSERT_EQ(is_accent(c), in_ranges(stripped, c)) << "code point " << uint32_t{c};
    ASSERT_EQ(is_white_space(c), in_ranges(white_space, c)) << "code point " << uint32_t{c};
    ASSERT_EQ(is_bert_punctuation(c), in_ranges(punctuation, c)) << "code point " << uint32_t{c};
  }
}

TEST(CharacterClasses, WordCharacters) {
  for (const char32_t c : U"azAZ09_éßж中ก\u0301\u200d٣") {
    EXPECT_EQ(is_word_character(c), c != 0) << uint32_t{c};  // the literal ends with NUL
  }
  for (const char32_t c : U" \t.-'$€😀\u00a0\u200b\uFFFD²") {
    EXPECT_FALSE(is_word_character(c)) << uint32_t{c};
  }
}

std::string lower(char32_t c) {
  std::string text;
  append_lower_case(c, text);
  return text;
}

TEST(LowerCase, IsThatOfTheCharacterAlone) {
  EXPECT_EQ(lower(U'A'), "a");
  EXPECT_EQ(lower(U'É'), "é");
  EXPECT_EQ(lower(U'Σ'), "σ");
  EXPECT_EQ(lower(U'ẞ'), "ß");
  EXPECT_EQ(lower(U'İ'), "i\u0307");
  EXPECT_EQ(lower(U'ǅ'), "ǆ");
  EXPECT_EQ(lower(U'中'), "中");
  EXPECT_EQ(lower(U'\uA7DC'), "\u019B");          // new in Unicode 16
  EXPECT_EQ(lower(U'\U00010D65'), "\U00010D85");  // new in Unicode 16
  EXPECT_EQ(lower(U'\U00016EB8'), "\U00016ED3");  // new in Unicode 17
}

std::u32string decomposed(char32_t c) {
  std::u32string text;
  append_decomposition(c, text);
  return text;
}

TEST(Decomposition, IsFullAndThatOfUnicode9) {
  EXPECT_EQ(decomposed(U'a'), U"a");
  EXPECT_EQ(decomposed(U'ǖ'), U"u\u0308\u0304");
  EXPECT_EQ(decomposed(U'한'), U"\u1112\u1161\u11AB");
  EXPECT_EQ(decomposed(U'\u212B'), U"A\u030A");
  EXPECT_EQ(decomposed(U'ﬁ'), U"ﬁ");  // a compatibility decomposition, which does not count
  EXPECT_EQ(decomposed(U'\U00011938'), U"\U00011938");  // came with Unicode 13
  EXPECT_EQ(combining_class(U'\u0301'), 230);
  EXPECT_EQ(combining_class(U'a'), 0);
  EXPECT_EQ(combining_class(U'\u1DF6'), 0);  // 232, but from Unicode 10
}

}  // namespace
}  // namespace rubric
