#include "text/vocabulary.h"

#include <gtest/gtest.h>

namespace rubric::text::vocabulary_test {

TEST(Vocabulary, FindsWhatWasAdded) {
  Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.find("a"), -1);
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(vocabulary.add("token" + std::to_string(i), 7 * i));
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(vocabulary.find("token" + std::to_string(i)), 7 * i);
  EXPECT_EQ(vocabulary.find("token5000"), -1);
  EXPECT_EQ(vocabulary.find("toke"), -1);
  EXPECT_EQ(vocabulary.find(""), -1);
  EXPECT_EQ(vocabulary.count(), 5000u);
  EXPECT_EQ(vocabulary.token(12), "token12");
  EXPECT_EQ(vocabulary.id(12), 84);
}

TEST(Vocabulary, KeepsTheFirstOfTwo) {
  Vocabulary vocabulary;
  EXPECT_TRUE(vocabulary.add("twice", 1));
  EXPECT_FALSE(vocabulary.add("twice", 2));
  EXPECT_EQ(vocabulary.find("twice"), 1);
  EXPECT_EQ(vocabulary.count(), 1u);
}

void expect_match(const Vocabulary::Match& match, int32_t id, size_t length) {
  EXPECT_EQ(match.id, id);
  EXPECT_EQ(match.length, length);
}

TEST(Vocabulary, MatchesTheLongestToken) {
  Vocabulary vocabulary;
  int32_t id = 0;
  for (const char* const token : {"un", "unaff", "##aff", "##affable", "é", "##é", "able"}) {
    vocabulary.add(token, id++);
  }
  expect_match(vocabulary.longest_match("unaffable"), 1, 5);
  expect_match(vocabulary.longest_match("unable"), 0, 2);
  expect_match(vocabulary.longest_match("u"), -1, 0);
  expect_match(vocabulary.longest_match(""), -1, 0);
  expect_match(vocabulary.longest_match("affable", "##"), 3, 7);
  expect_match(vocabulary.longest_match("affair", "##"), 2, 3);
  expect_match(vocabulary.longest_match("unaff", "##"), -1, 0);
  expect_match(vocabulary.longest_match("able", "##"), -1, 0);
  expect_match(vocabulary.longest_match("éa"), 4, 2);
  expect_match(vocabulary.longest_match("éa", "##"), 5, 2);
}

TEST(Vocabulary, MatchesInLongTexts) {
  Vocabulary vocabulary;
  const std::string longest(Vocabulary::kLongestToken, 'x');
  vocabulary.add(longest, 3);
  expect_match(vocabulary.longest_match(longest), 3, longest.size());
  expect_match(vocabulary.longest_match(longest + longest), 3, longest.size());
  expect_match(vocabulary.longest_match(longest.substr(1)), -1, 0);
}

}  // namespace rubric::text::vocabulary_test
