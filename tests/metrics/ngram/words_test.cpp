#include "metrics/ngram/words.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rubric::metrics::words_test {

using Words = std::vector<std::string>;

Words by_white_space(std::string_view text) {
  Words words;
  split_at_white_space(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

Words by_blanks(std::string_view text) {
  Words words;
  split_at_spaces(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(Words, SplitsAtWhiteSpaceAsPython) {
  EXPECT_EQ(by_white_space(""), Words());
  EXPECT_EQ(by_white_space(" \t\n\v\f\r\x1C\x1D\x1E\x1F"), Words());
  EXPECT_EQ(by_white_space("  a\tb \x1F c"), (Words{"a", "b", "c"}));
  // Every white space beyond ASCII (str.isspace), and neighbours that are none.
  for (const char* const space : {"\u0085", "\u00A0", "\u1680", "\u2000", "\u200A", "\u2028",
                                  "\u2029", "\u202F", "\u205F", "\u3000"}) {
    EXPECT_EQ(by_white_space(std::string("a") + space + "b"), (Words{"a", "b"})) << space;
    EXPECT_EQ(by_white_space(space), Words()) << space;
  }
  for (const char* const word :
       {"a\u200Bb", "\u00E0\u2013\u3001", "\x01", "\x7F", "a\xE3\x80", "\x80"}) {
    EXPECT_EQ(by_white_space(word), Words{word}) << word;
  }
}

TEST(Words, SplitsAtEveryBlank) {
  EXPECT_EQ(by_blanks(""), Words{""});
  EXPECT_EQ(by_blanks("  "), (Words{"", "", ""}));
  EXPECT_EQ(by_blanks("a\tb \u3000 c"), (Words{"a\tb", "\u3000", "c"}));
}

// Words end at every place of the blocks that are searched at once, and go over their borders.
TEST(Words, FindsWordsWhereverTheyStand) {
  std::mt19937 random(3);
  const std::string pieces[] = {" ", "a", "\t", "\u00A0", "\u3000", "\u00F6", "word"};
  for (size_t length = 0; length < 200; ++length) {
    std::string text;
    Words words(1), between(1);
    for (size_t i = 0; i < length; ++i) {
      const size_t choice = random() % std::size(pieces);
      const std::string& piece = pieces[choice];
      text += piece;
      const bool is_space = choice == 0 || (choice >= 2 && choice <= 4);
      is_space ? void(words.emplace_back()) : void(words.back() += piece);
      choice == 0 ? void(between.emplace_back()) : void(between.back() += piece);
    }
    std::erase(words, "");
    EXPECT_EQ(by_white_space(text), words) << text;
    EXPECT_EQ(by_blanks(text), between) << text;
  }
}

}  // namespace rubric::metrics::words_test
