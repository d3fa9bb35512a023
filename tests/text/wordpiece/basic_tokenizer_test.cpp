#include "core/hash.h"
#include "core/text/utf8.h"
#include "text/tokenizer_fixtures.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text::basic_tokenizer_test {

std::string normalized(std::string_view text, const WordPieceOptions& options = {}) {
  std::string out;
  bert_normalize(text, options, out);
  return out;
}

std::vector<std::string> words(std::string_view normalized_text) {
  std::vector<std::string> found;
  std::string_view word;
  for (size_t position = 0; next_word(normalized_text, position, word);) found.emplace_back(word);
  return found;
}

// The first 16 digits of the SHA-256 of "a" + c + "b" normalised, a line for each c.
std::string digest_of_range(char32_t first, char32_t count) {
  std::string lines;
  for (char32_t c = first; c < first + count; ++c) {
    if (is_surrogate(c)) continue;
    std::string text = "a";
    append_utf8(c, text);
    bert_normalize(text + "b", {}, lines);
    lines += '\n';
  }
  return sha256(lines).substr(0, 16);
}

TEST(BertNormalize, EveryCodePointIsTreatedAsTheReferenceDoes) {
  const Json table = Json::parse_file(tokenizer_fixture("codepoints.json"));
  const Json::Array& blocks = table.require("normalized_by_256", "").array();
  ASSERT_EQ(blocks.size(), 512u);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto first = static_cast<char32_t>(i * 256);
    EXPECT_EQ(digest_of_range(first, 256), blocks[i].string()) << "from code point " << i * 256;
  }
  const Json::Array& planes = table.require("normalized_by_plane", "").array();
  ASSERT_EQ(planes.size(), 17u);
  for (size_t i = 0; i < planes.size(); ++i) {
    const auto first = static_cast<char32_t>(i * 0x10000);
    EXPECT_EQ(digest_of_range(first, 0x10000), planes[i].string()) << "plane " << i;
  }
}

TEST(BertNormalize, FollowsItsOptions) {
  EXPECT_EQ(normalized("Élan 中文"), "elan  中  文 ");
  EXPECT_EQ(normalized("Élan", {.strip_accents = false}), "élan");
  EXPECT_EQ(normalized("Élan", {.lowercase = false}), "Élan");
  EXPECT_EQ(normalized("Élan", {.lowercase = false, .strip_accents = true}), "Elan");
  EXPECT_EQ(normalized("中文", {.tokenize_chinese_chars = false}), "中文");
}

TEST(BertNormalize, SpecialLowerCases) {
  EXPECT_EQ(normalized("İ"), "i");
  EXPECT_EQ(normalized("İ", {.strip_accents = false}), "i\u0307");
  EXPECT_EQ(normalized("ΣΊΣΥΦΟΣ"), "σισυφοσ");  // no final sigma
}

TEST(BertNormalize, CleansControlCharactersAndBrokenBytes) {
  EXPECT_EQ(normalized(std::string_view("a\0b\x01 c\td\r\n", 10)), "ab c d  ");
  EXPECT_EQ(normalized("a\u200Bb\u00ADc\uFFFD"), "abc");
  EXPECT_EQ(normalized("a\xFF\xC3 b\xE2\x82"), "a b");
}

// Marks that Unicode 8 did not know as nonspacing stay, in canonical order: U+1D165 and U+302E are
// spacing marks of the classes 216 and 224.
TEST(BertNormalize, SortsTheMarksThatStay) {
  EXPECT_EQ(normalized("a\u302E\u0301\U0001D165"), "a\U0001D165\u302E");
  EXPECT_EQ(normalized("a\u302E\x01\U0001D165"), "a\U0001D165\u302E");    // removed before sorting
  EXPECT_EQ(normalized("a\u302E\u034F\U0001D165"), "a\u302E\U0001D165");  // U+034F ends a sequence
  EXPECT_EQ(normalized("a\u302E \U0001D165"), "a\u302E \U0001D165");
  EXPECT_EQ(normalized("\u302E\U0001D165"), "\U0001D165\u302E");
}

TEST(BertNormalize, AMillionMarksTakeNoTimeSquared) {
  std::string text = "a";
  for (int i = 0; i < 500000; ++i) text += "\u302E";
  for (int i = 0; i < 500000; ++i) text += "\U0001D165";
  EXPECT_EQ(normalized(text).substr(0, 5), "a\U0001D165");
}

TEST(NextWord, CutsAtBlanksAndAroundPunctuation) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words(""), Words());
  EXPECT_EQ(words("   "), Words());
  EXPECT_EQ(words(" the rain  fell "), (Words{"the", "rain", "fell"}));
  EXPECT_EQ(words("don't -- 3.5%"), (Words{"don", "'", "t", "-", "-", "3", ".", "5", "%"}));
  EXPECT_EQ(words("a“b”。é…"), (Words{"a", "“", "b", "”", "。", "é", "…"}));
  EXPECT_EQ(words("a€b😀c"), (Words{"a€b😀c"}));  // symbols outside ASCII are no punctuation
}

}  // namespace rubric::text::basic_tokenizer_test
