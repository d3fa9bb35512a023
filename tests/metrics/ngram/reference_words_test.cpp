#include <gtest/gtest.h>

#include "metrics/ngram/words.h"

namespace rubric::metrics::reference_words_test {

using Texts = std::vector<std::string>;

bool read(ReferenceWords& words, const Texts& references) {
  return words.read(references,
                    [](std::string_view text, const auto& use) { split_at_spaces(text, use); });
}

std::vector<uint32_t> numbers(const ReferenceWords& words, size_t reference) {
  return {words[reference].begin(), words[reference].end()};
}

TEST(ReferenceWords, NumbersTheWordsOfAllReferences) {
  ReferenceWords words;
  EXPECT_EQ(words.find("a"), kNoId);
  EXPECT_TRUE(read(words, {"a b a", "b c"}));
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(numbers(words, 0), (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_EQ(numbers(words, 1), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(words.words(), 5u);
  EXPECT_EQ(words.distinct_words(), 3u);
  EXPECT_EQ(words.find("c"), 2u);
  EXPECT_EQ(words.find("d"), kNoId);
  EXPECT_EQ(words.find(""), kNoId);
}

TEST(ReferenceWords, KeepsWhatIsTheSame) {
  ReferenceWords words;
  EXPECT_TRUE(read(words, {"a b"}));
  EXPECT_FALSE(read(words, {"a b"}));
  for (const Texts& others : {Texts{"a c"}, Texts{"a c", "a"}, Texts{"a", "a c"}, Texts{"a"}}) {
    EXPECT_TRUE(read(words, others));
    EXPECT_FALSE(read(words, others));
    EXPECT_EQ(words.size(), others.size());
    EXPECT_EQ(words.find("b"), kNoId);
  }
  Texts changed = {"a"};  // the same object with another text
  EXPECT_FALSE(read(words, changed));
  changed[0] = "b";
  EXPECT_TRUE(read(words, changed));
  EXPECT_EQ(words.find("a"), kNoId);
  EXPECT_EQ(words.find("b"), 0u);
}

// Words of every length that differ in one place only have numbers of their own.
TEST(ReferenceWords, TellsSimilarWordsApart) {
  for (size_t length = 1; length <= 40; ++length) {
    Texts texts = {std::string(length, 'a')};
    for (size_t i = 0; i < length; ++i) (texts.emplace_back(length, 'a'))[i] = 'b';
    ReferenceWords words;
    read(words, texts);
    ASSERT_EQ(words.distinct_words(), length + 1);
    for (uint32_t i = 0; i <= length; ++i) EXPECT_EQ(words.find(texts[i]), i);
    EXPECT_EQ(words.find(std::string(length, 'c')), kNoId);
  }
}

}  // namespace rubric::metrics::reference_words_test
