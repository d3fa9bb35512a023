#include "text/quantities.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rubric::text {
namespace {

// Where there are several texts, they say the same in other words or forms.
void expect_normalised(const std::vector<std::string>& texts, const std::string& normalised) {
  for (const std::string& text : texts) EXPECT_EQ(normalize_quantities(text), normalised) << text;
}

TEST(Quantities, NumbersAreInDigits) {
  expect_normalised({"twenty-five", "Twenty five", "25"}, "25");
  expect_normalised({"nineteen forty-five", "nineteen hundred and forty-five", "1945"}, "1945");
  expect_normalised({"twenty twelve", "two thousand twelve", "two-thousand and twelve"}, "2012");
  expect_normalised(
      {"1.2 million", "1,200,000", "one million two hundred thousand", "1200 thousand"}, "1200000");
  expect_normalised({"a hundred", "one hundred", "100"}, "100");
  expect_normalised({"0.5 billion", "five hundred million"}, "500000000");
  expect_normalised({"$3 trillion", "three trillion", "3,000.0 billion"}, "3000000000000");
  expect_normalised({"a thousand and one nights", "1001 nights"}, "1001 nights");
  expect_normalised({"a twenty-five-year-old", "25-year-old"}, "25yearold");
  expect_normalised({"half a million", "half million", "500,000", "0.5 million"}, "500000");
  expect_normalised({"between one hundred and two hundred", "between 100 and 200"},
                    "between 100 and 200");
  expect_normalised({"a million and two million", "1,000,000 and 2,000,000"},
                    "1000000 and 2000000");
  expect_normalised({"a hundred thousand", "100,000"}, "100000");
  expect_normalised({"0 million", "0.0 thousand"}, "0");
  expect_normalised({"ninety-nine hundred ninety-nine trillion"}, "9999000000000000");
  expect_normalised({"seven", "7", "the 7."}, "7");
}

TEST(Quantities, NumbersEndWhereAnotherBegins) {
  expect_normalised({"eleven, twelve"}, "11 12");  // two numbers
  expect_normalised({"5 a million"}, "5 1000000");
  expect_normalised({"five ten"}, "5 10");  // neither a year nor a sum
  expect_normalised({"nineteen forty-five thousand"}, "19 45000");
  expect_normalised({"two hundred and", "200 and"}, "200 and");
  expect_normalised({"two thousand five million"}, "2000 5000000");  // two numbers
  expect_normalised({"ten ten"}, "10 10");  // centuries of years begin with eleven
  expect_normalised({"twenty-one ten"}, "21 10");
  expect_normalised({"1,2000 million"}, "12000000000");
  expect_normalised({"\xff twenty-five \xe2\x82"}, "\xff 25 \xe2\x82");
  expect_normalised({"1.2, million"}, "12 million");
}

TEST(Quantities, NoNumberIsReadWhereNoneIs) {
  expect_normalised({"no one", "No  one."}, "no one");
  expect_normalised({"1.2345 thousand"}, "12345 thousand");  // no whole number
  expect_normalised({"1.5000 thousand"}, "15000 thousand");  // more decimals than zeros
  expect_normalised({"hundreds of millions, a few thousand"}, "hundreds of millions few thousand");
  expect_normalised({"3.14"}, "314");
  expect_normalised({"", " ", "."}, "");
}

// Ordinal numbers in words are not read, but for what stands before their last word.
TEST(Quantities, OrdinalNumbersInWordsStay) {
  expect_normalised({"twenty-first", "Twenty-first"}, "twentyfirst");
  expect_normalised({"twenty first"}, "20 first");
  expect_normalised({"one hundred and twenty-first"}, "120first");
}

TEST(Quantities, DaysStandBeforeTheirMonths) {
  expect_normalised({"April 5th, 1912", "5 April 1912", "the 5th of April, 1912", "Apr. 5, 1912",
                     "1912-04-05", "05-Apr-1912", "APRIL\u00a05\u00a01912"},
                    "5 april 1912");
  expect_normalised({"Sept. 30", "September 30th", "30 sep", "the 30th of September"},
                    "30 september");
  expect_normalised({"in Dec. 1999", "in December, 1999"}, "in december 1999");
  expect_normalised({"(July 4, 1776)", "4 July 1776!"}, "4 july 1776");
}

TEST(Quantities, NoDayIsReadWhereNoneIs) {
  expect_normalised({"Mar and Jan"}, "mar and jan");
  expect_normalised({"April 32"}, "april 32");
  expect_normalised({"5. Apr"}, "5 apr");
  expect_normalised({"1912-13-05"}, "19121305");
  expect_normalised({"1912-00-05"}, "19120005");
  expect_normalised({"1912-04-32"}, "19120432");
  expect_normalised({"1912-4-5"}, "191245");
}

}  // namespace
}  // namespace rubric::text
