#include <gtest/gtest.h>

#include "text/tokenizer.h"

namespace rubric::text::clean_up_test {

std::string cleaned(std::string text) {
  clean_up_spaces(text);
  return text;
}

// Expected texts are those of transformers' clean_up_tokenization.
TEST(CleanUp, TakesOutBlanksBeforeMarksAndEndings) {
  EXPECT_EQ(cleaned("a . b ? c ! d , e"), "a. b? c! d, e");
  EXPECT_EQ(cleaned("do n't I 'm he 's we 've they 're"), "don't I'm he's we've they're");
  EXPECT_EQ(cleaned("it ' s"), "it's");
  EXPECT_EQ(cleaned(" . . ."), "...");
  EXPECT_EQ(cleaned("a  ,b"), "a ,b");
  EXPECT_EQ(cleaned("a ; b"), "a ; b");
  EXPECT_EQ(cleaned(""), "");
}

}  // namespace rubric::text::clean_up_test
