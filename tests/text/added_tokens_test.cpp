#include <gtest/gtest.h>

#include "text/vocabulary.h"

namespace rubric::text::added_tokens_test {

AddedToken token(const std::string& pattern, int32_t id) {
  AddedToken made;
  made.content = made.pattern = pattern;
  made.id = id;
  return made;
}

// "text|7:<token>|text"
std::string split(const AddedTokenFinder& finder, std::string_view text) {
  std::vector<TextPart> parts;
  finder.split(text, parts);
  std::string joined;
  for (const TextPart& part : parts) {
    if (!joined.empty()) joined += "|";
    if (part.id >= 0) joined += std::to_string(part.id) + ":";
    joined += part.text;
  }
  return joined;
}

TEST(AddedTokenFinder, WithoutTokensAllIsText) {
  const AddedTokenFinder finder;
  EXPECT_EQ(split(finder, "the [SEP] rain"), "the [SEP] rain");
  EXPECT_EQ(split(finder, ""), "");
}

TEST(AddedTokenFinder, TakesTheLeftmostLongest) {
  AddedTokenFinder finder;
  finder.add(token("ab", 1));
  finder.add(token("abcd", 2));
  finder.add(token("bcde", 3));
  finder.add(token("ab", 4));  // the first of the same pattern counts
  EXPECT_EQ(split(finder, "abcde"), "2:abcd|e");
  EXPECT_EQ(split(finder, "abcbcde"), "1:ab|c|3:bcde");
  EXPECT_EQ(split(finder, "xabab"), "x|1:ab|1:ab");
  EXPECT_EQ(split(finder, "a"), "a");
}

TEST(AddedTokenFinder, SingleWordsStandAlone) {
  AddedTokenFinder finder;
  AddedToken solo = token("solo", 5);
  solo.single_word = true;
  finder.add(solo);
  EXPECT_EQ(split(finder, "solo solos a-solo."), "5:solo| solos a-|5:solo|.");
  EXPECT_EQ(split(finder, "ésolo solo_ solo中"), "ésolo solo_ solo中");
  EXPECT_EQ(split(finder, "\xC3solo\x80"), "\xC3|5:solo|\x80");  // broken bytes are no word
}

TEST(AddedTokenFinder, StripsWhiteSpaceBeside) {
  AddedTokenFinder finder;
  AddedToken left = token("<l>", 1), right = token("<r>", 2);
  left.lstrip = true;
  right.rstrip = true;
  finder.add(left);
  finder.add(right);
  EXPECT_EQ(split(finder, "a \u00A0\t<l> b"), "a|1: \u00A0\t<l>| b");
  EXPECT_EQ(split(finder, "a <r>\n\u3000b"), "a |2:<r>\n\u3000|b");
  EXPECT_EQ(split(finder, "<r>  <l>"), "2:<r>  |1:<l>");  // the blanks are taken once
}

TEST(AddedTokenFinder, ABrokenByteBehindATokenIsNoPartOfIt) {
  AddedTokenFinder finder;
  finder.add(token("[SEP]", 3));
  EXPECT_EQ(split(finder, "[SEP]\x80"), "3:[SEP]|\x80");
  EXPECT_EQ(split(finder, "[SE\x80P]"), "[SE\x80P]");
}

}  // namespace rubric::text::added_tokens_test
