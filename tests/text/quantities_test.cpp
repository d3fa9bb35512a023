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
  expect_normalised({"1,2000 million"}, "1200000");  // a decimal comma: no group of three digits
  expect_normalised({"\xff twenty-five \xe2\x82"}, "\xff 25 \xe2\x82");
  expect_normalised({"1.2, million"}, "1.2 million");
}

TEST(Quantities, NoNumberIsReadWhereNoneIs) {
  expect_normalised({"no one", "No  one."}, "no one");
  expect_normalised({"hundreds of millions, a few thousand"}, "hundreds of millions few thousand");
  expect_normalised({"", " ", "."}, "");
}

TEST(Quantities, DecimalsKeepTheirPoint) {
  expect_normalised({"3.14", "3.140", "03.14", "3,14", "three point one four"}, "3.14");
  expect_normalised({"314", "314.0", "314.00"}, "314");
  expect_normalised({"10", "10.0"}, "10");
  expect_normalised({"1.0", "1", "one"}, "1");
  expect_normalised({"0.5", ".5", "0,50", "zero point five"}, "0.5");
  expect_normalised({"1.2345 thousand", "1,234.5"}, "1234.5");
  expect_normalised({"1.5000 thousand", "1500"}, "1500");
  expect_normalised({"$3.50", "3.5"}, "3.5");
  expect_normalised({"3.5km", "3.5 km", "3.50 km"}, "3.5 km");
  expect_normalised({"£3.50", "£ 3.5"}, "£ 3.5");
  expect_normalised({"GPT-3.5"}, "gpt3.5");
  expect_normalised({"version 2.0.1"}, "version 2.0.1");
}

TEST(Quantities, ThousandsMayHaveMarks) {
  expect_normalised({"1,000", "1000", "1'000", "1\u202f000", "1\u00a0000", "1,000.00"}, "1000");
  expect_normalised({"1,234,567.5", "1.234.567,5", "1234567.50"}, "1234567.5");
  expect_normalised({"1.000.000", "10,00,000", "one million"}, "1000000");
  expect_normalised({"1,2,3", "1, 2, 3"}, "1 2 3");
  expect_normalised({"007"}, "007");  // a code
}

TEST(Quantities, NumbersKeepTheirSign) {
  expect_normalised({"-5", "\u22125", "minus five", "minus 5", "negative five", "\u20135", "(-5)"},
                    "-5");
  expect_normalised({"-$5", "$-5"}, "-5");
  expect_normalised({"-£5", "£-5"}, "£ -5");
  expect_normalised({"+5", "5", "five"}, "5");
  expect_normalised({"-2.5 million", "minus two and a half million"}, "-2500000");
  expect_normalised({"from -5 to -10"}, "from -5 to -10");
  expect_normalised({"-0"}, "0");
}

TEST(Quantities, AHyphenBetweenNumbersIsNoSign) {
  expect_normalised({"3-2", "3\u20132", "3 -2"}, "3 2");
  expect_normalised({"1990-95"}, "1990 95");
  expect_normalised({"F-16", "F16"}, "f16");
  expect_normalised({"ten minus five"}, "10 minus 5");
  expect_normalised({"10^6"}, "10 6");
}

TEST(Quantities, FractionsAreNumbersWhereTheyAreSafe) {
  expect_normalised({"1/2", "0.5", "\u00bd", "1\u20442", "half", "a half", "one half", "one-half"},
                    "0.5");
  expect_normalised({"2 1/2", "2\u00bd", "2-1/2", "2.5", "two and a half"}, "2.5");
  expect_normalised({"3/4", "three quarters", "three-fourths", "0.75"}, "0.75");
  expect_normalised({"2/3", "two thirds", "two-thirds"}, "2/3");
  expect_normalised({"a third of them", "one third of them"}, "1/3 of them");
  expect_normalised({"12"}, "12");
  expect_normalised({"6/8"}, "6/8");  // a time signature
  expect_normalised({"24/7"}, "24/7");
  expect_normalised({"the first half"}, "1st half");
  expect_normalised({"half a million", "0.5 million", "half of a million"}, "500000");
  expect_normalised({"a quarter of a million", "a quarter million", "250,000"}, "250000");
}

TEST(Quantities, AHalfMayStandBeforeOrBehindAScale) {
  expect_normalised(
      {"one and a half million", "a million and a half", "1.5 million", "1 1/2 million"},
      "1500000");
  expect_normalised({"three and a half million", "3.5 million"}, "3500000");
  expect_normalised({"2 million and a half", "two million and a half", "2,500,000"}, "2500000");
  expect_normalised({"three quarters of a million"}, "750000");
  expect_normalised({"$1.2bn", "1.2 billion"}, "1200000000");
}

TEST(Quantities, PercentsAreWords) {
  expect_normalised({"35%", "35 %", "35 percent", "35 per cent", "thirty-five percent"},
                    "35 percent");
  expect_normalised({"3.5%", "3.50 percent"}, "3.5 percent");
  expect_normalised({"5-10%"}, "5 10 percent");
}

TEST(Quantities, TimesKeepTheirColon) {
  expect_normalised({"10:30", "ten thirty", "half past ten", "half past 10"}, "10:30");
  expect_normalised({"1030"}, "1030");
  expect_normalised({"10:30 a.m.", "10:30AM", "10.30 am", "ten thirty am"}, "10:30 am");
  expect_normalised({"10 am", "10:00 a.m.", "10am"}, "10 am");
  expect_normalised({"9:45", "09:45", "quarter to ten"}, "9:45");
  expect_normalised({"quarter past one"}, "1:15");
  expect_normalised({"eleven thirty"}, "11:30");
  expect_normalised({"twelve fifteen"}, "12:15");
  expect_normalised({"nine eleven"}, "9 11");
  expect_normalised({"3:2:1"}, "3:2:1");
}

TEST(Quantities, YearsInWords) {
  expect_normalised({"nineteen oh five"}, "1905");
  expect_normalised({"eleven sixty-six"}, "1166");
  expect_normalised({"thirteen fifteen"}, "1315");
}

TEST(Quantities, OrdinalNumbersInWordsAndDigitsAreOne) {
  expect_normalised({"twenty-first", "Twenty-first", "twenty first", "21st"}, "21st");
  expect_normalised({"one hundred and twenty-first", "121st"}, "121st");
  expect_normalised({"first", "the 1st"}, "1st");
  expect_normalised({"twentieth", "20th"}, "20th");
  expect_normalised({"eleventh", "11th"}, "11th");
  expect_normalised({"1 second", "one second"}, "1 second");  // a time
}

TEST(Quantities, DaysStandBeforeTheirMonths) {
  expect_normalised({"April 5th, 1912", "5 April 1912", "the 5th of April, 1912", "Apr. 5, 1912",
                     "1912-04-05", "05-Apr-1912", "APRIL\u00a05\u00a01912"},
                    "5 april 1912");
  expect_normalised({"Sept. 30", "September 30th", "30 sep", "the 30th of September"},
                    "30 september");
  expect_normalised({"in Dec. 1999", "in December, 1999"}, "in december 1999");
  expect_normalised(
      {"(July 4, 1776)", "4 July 1776!", "the fourth of July, 1776", "July fourth, 1776"},
      "4 july 1776");
  expect_normalised({"15 April 1912", "4/15/1912", "15/4/1912", "15.04.1912"}, "15 april 1912");
}

TEST(Quantities, NoDayIsReadWhereNoneIs) {
  expect_normalised({"Mar and Jan"}, "mar and jan");
  expect_normalised({"April 32"}, "april 32");
  expect_normalised({"5. Apr"}, "5 apr");
  expect_normalised({"1912-13-05"}, "1912 13 05");
  expect_normalised({"1912-00-05"}, "1912 00 05");
  expect_normalised({"1912-04-32"}, "1912 04 32");
  expect_normalised({"1912-4-5"}, "1912 4 5");
  expect_normalised({"4/5/1912"}, "4/5/1912");  // April or May
}

}  // namespace
}  // namespace rubric::text
