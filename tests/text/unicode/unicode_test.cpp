#include "text/unicode/unicode.h"

#include "core/random.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::unicode_test {

TEST(CharacterClasses, AreThoseOfTheReferenceForEveryCodePoint) {
  const Json table = Json::parse_file(tokenizer_fixture("codepoints.json"));
  const auto set = [&](const char* name) { return code_points(table.require(name, "")); };
  const std::vector<bool> removed = set("removed"), blank = set("to_blank"), cjk = set("cjk"),
                          stripped = set("stripped"), white_space = set("split_white_space"),
                          punctuation = set("split_punctuation");
  for (char32_t c = 0; c < kCodePoints; ++c) {
    if (is_surrogate(c)) continue;
    ASSERT_EQ(is_removed_by_bert(c), removed[c]) << "code point " << uint32_t{c};
    ASSERT_EQ(is_white_space(c) && !is_removed_by_bert(c), blank[c]) << uint32_t{c};
    ASSERT_EQ(is_cjk_ideograph(c), cjk[c]) << "code point " << uint32_t{c};
    ASSERT_EQ(is_accent(c), stripped[c]) << "code point " << uint32_t{c};
    ASSERT_EQ(is_white_space(c), white_space[c]) << "code point " << uint32_t{c};
    ASSERT_EQ(is_bert_punctuation(c), punctuation[c]) << "code point " << uint32_t{c};
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

// ASCII is normalised by itself: as the general way does it, which a text with "é" takes.
TEST(NormalizeAnswer, OfAsciiIsAsOfOtherTexts) {
  using namespace std::string_literals;
  const std::vector<std::string> pieces = {
      "a",  "an", "the", "A", "The", "b",   "x1",   "theatre", "t.he", " ",    "  ", "\t",
      "\n", "_",  "-",   ".", "'",   "\0"s, "\x1c", "\x1f",    "\x7f", "\x01", "Z9"};
  for (uint64_t i = 0; i < 20'000; ++i) {
    std::string text;
    for (uint64_t j = 0; j < i % 9; ++j) {
      text += pieces[below(random_bits(1, Purpose::initialise, i, j), pieces.size())];
    }
    const std::string ascii = normalize_answer(text);
    ASSERT_EQ(normalize_answer(text + " é"), ascii + (ascii.empty() ? "é" : " é"))
        << json_quote(text);
  }
}

TEST(CharacterClasses, PythonSpaces) {
  // Every c with chr(c).isspace() in Python 3.11.
  const std::u32string spaces =
      U"\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
      U"\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
  for (char32_t c = 0; c < kCodePoints; ++c) {
    ASSERT_EQ(is_python_space(c), spaces.find(c) != std::u32string::npos) << uint32_t{c};
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

}  // namespace rubric::text::unicode_test
