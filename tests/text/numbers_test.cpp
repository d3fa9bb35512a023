#include "text/numbers.h"

#include <gtest/gtest.h>

namespace rubric::text::numbers_test {

TEST(NumberWords, AreDigitsOnceNormalised) {
  EXPECT_EQ(normalize_numbers("The Seven days, one"), "7 days 1");
  EXPECT_EQ(normalize_numbers(" twelve-hundred thirteen Zéro zero"),
            "twelvehundred thirteen zéro 0");
  EXPECT_EQ(normalize_numbers(""), "");
}

TEST(NumberWords, NoOneIsNoNumber) {
  EXPECT_EQ(normalize_numbers("No one"), "no one");
  EXPECT_EQ(normalize_numbers("Well, no\n one."), "well no one");
  for (const char* text : {"No, one.", "No. One", "no - one", "piano one", "no ones", "no"}) {
    EXPECT_FALSE(has_no_one(text)) << text;
  }
  EXPECT_EQ(normalize_numbers("No, one."), "no 1");
  for (const char* text : {"no-one, no", "NO\u00a0ONE", "\"no\t one\"", "No one"}) {
    EXPECT_TRUE(has_no_one(text)) << text;
  }
  EXPECT_FALSE(has_no_one("no \u00e9one"));
  EXPECT_FALSE(has_no_one("no one\u00e9"));
}

}  // namespace rubric::text::numbers_test
