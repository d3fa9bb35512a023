#include <gtest/gtest.h>

#include "data/vacuous_rationales/english.h"

namespace rubric::data {
namespace {

std::vector<std::string> forms_of(const Words& words) {
  std::vector<std::string> forms;
  for (const Word& word : words) forms.push_back(word.form);
  return forms;
}

TEST(SplitWords, AWordHasItsMarksAndAFormWithout) {
  const Words words = split_words(" Then,\tshe\u00a0 left (early).");
  EXPECT_EQ(to_text(words), "Then, she left (early).");
  EXPECT_EQ(forms_of(words), (std::vector<std::string>{"then", "she", "left", "early"}));
}

TEST(SplitWords, AWhWordAndIsAreTwo) {
  for (const auto& [text, whole] : std::vector<std::pair<std::string, std::string>>{
           {"What's that?", "What is that?"},
           {"What\u2019s that?", "What is that?"},
           {"\"What's that?\" he asked.", "\"What is that?\" he asked."},
           {"(what's that)", "(what is that)"},
           {"She said: \"(Who's there?)\"", "She said: \"(Who is there?)\""},
           {"Anna's boat", "Anna's boat"}}) {
    EXPECT_EQ(to_text(split_words(text)), whole);
  }
  EXPECT_EQ(forms_of(split_words("\"What's that?\"")),
            (std::vector<std::string>{"what", "is", "that"}));
}

TEST(SplitSentences, AbbreviationsEndNone) {
  const std::vector<Words> sentences =
      split_sentences(split_words("Dr. Lee left. \"Why?\" he asked ! It rained"));
  ASSERT_EQ(sentences.size(), 4u);
  EXPECT_EQ(to_text(sentences[0]), "Dr. Lee left.");
  EXPECT_EQ(to_text(sentences[1]), "\"Why?\"");
  EXPECT_EQ(to_text(sentences[2]), "he asked !");
  EXPECT_EQ(to_text(sentences[3]), "It rained");
}

}  // namespace
}  // namespace rubric::data
