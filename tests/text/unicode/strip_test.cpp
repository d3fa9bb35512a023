#include <gtest/gtest.h>

#include "text/unicode/unicode.h"

namespace rubric::text::strip_test {

TEST(Strip, TakesWhatPythonsStripTakes) {
  EXPECT_EQ(strip("\u00A0\u3000a \n b\x1C\r\n\u2028"), "a \n b");
  EXPECT_EQ(strip("\u200B a"), "\u200B a");  // of no width: no white space
  EXPECT_EQ(strip("a\xFF"), "a\xFF");
  EXPECT_EQ(strip(" \t\n\u2003"), "");
  EXPECT_EQ(strip(""), "");
}

}  // namespace rubric::text::strip_test
