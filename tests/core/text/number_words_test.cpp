#include "core/text/number_words.h"

#include <gtest/gtest.h>

namespace rubric::number_words_test {

TEST(NumberWords, ZeroToTwelve) {
  EXPECT_EQ(parse_number_word("zero"), 0);
  EXPECT_EQ(parse_number_word("seven"), 7);
  EXPECT_EQ(number_word(12), "twelve");
  for (const char* word : {"thirteen", "7", "Seven", ""}) EXPECT_FALSE(parse_number_word(word));
  for (const int64_t number : {-1, 13}) EXPECT_FALSE(number_word(number)) << number;
}

}  // namespace rubric::number_words_test
