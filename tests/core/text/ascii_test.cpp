#include "core/text/ascii.h"

#include <gtest/gtest.h>

namespace rubric::ascii_test {

TEST(ParseNumber, TakesFiniteNumbersThatAreTheWholeText) {
  EXPECT_EQ(parse_number("-1.5e2"), -150);
  EXPECT_EQ(parse_number("0"), 0);
  for (const char* text : {"", " 1", "1 ", "1,5", "x", "nan", "inf", "-inf", "1e999", "0x1"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(ParseCell, TakesBlanksAroundANumberAndAPlus) {
  EXPECT_EQ(parse_cell(" 0.5\t"), 0.5);
  EXPECT_EQ(parse_cell(" +2"), 2);
  EXPECT_EQ(parse_cell("-2 "), -2);
  for (const char* text : {"", " ", "+", "++1", "+-1", "+ 1", "1 2", "+inf"}) {
    EXPECT_FALSE(parse_cell(text)) << text;
  }
}

TEST(AsciiLower, ChangesCapitalsOfAsciiAlone) {
  EXPECT_EQ(ascii_lower("AZaz@[ 9\xC3\x84"), "azaz@[ 9\xC3\x84");
}

TEST(Trim, TakesBlanksAndTabsFromBothEnds) {
  EXPECT_EQ(trim(" \ta b\t "), "a b");
  EXPECT_EQ(trim(" \t"), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("a\n"), "a\n");
}

TEST(ParseCount, TakesWholeNumbersFromZero) {
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("1234567890123"), 1234567890123);
  for (const char* text :
       {"", " 1", "1 ", "-1", "-0", "+1", "1.0", "0x1", "99999999999999999999"}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
}

}  // namespace rubric::ascii_test
