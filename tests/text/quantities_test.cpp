#include "text/quantities.h"

#include <string>
#include <utility>
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
                    "between 100-and-200");
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

TEST(Quantities, LongTextsOfNumberWordsAreRead) {
  const std::pair<std::string, std::string> cases[] = {
      {"twenty ", "2020 20"},
      {"ninety-", "90-90-90"},
      {"one hundred and ", "100 and 100 and 100 and"},
      {"half ", "half half half"},
      {"minus ", "minus minus minus"},
      {"1 ", "1 1 1"},
      {"1,", "1 1 1"},
      {"1/", "1/1/1"},
      {"1:", "1:1:1"},
      {"1.", "1.1.1"},
      {"1'", "1 1 1"},
      {"april ", "april april april"},
      {"point one ", "point 1.1 point 1"},
      {"$5m-", "5000000-5000000-5000000"},
      {"100 ", "100 100 100"},
      {"1 100-", "1100-1100-1100"},
      {"five-to-", "5-to-5-to-5to"},
      {"5€ ", "€ 5 € 5 € 5"}};
  const auto repeated = [](const std::string& word, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += word;
    return text;
  };
  for (const auto& [word, normalised] : cases) {
    expect_normalised({repeated(word, 3)}, normalised);
    EXPECT_FALSE(normalize_quantities(repeated(word, 20000)).empty()) << word;
  }
}

TEST(Quantities, DigitsOfEachScriptKeepTheirMarks) {
  expect_normalised({"\uff13\uff0e\uff11\uff14", "\u0663\u066b\u0661\u0664", "३.१४", "3.14"},
                    "3.14");
  expect_normalised({"\uff11\uff0c\uff12\uff10\uff10", "\u0661\u066c\u0662\u0660\u0660"}, "1200");
  expect_normalised({"-\u0665", "\uff0d\uff15", "\u2212\u096b"}, "-5");
  expect_normalised({"\uff15:\uff13\uff10", "\uff15\uff1a\uff13\uff10"}, "5:30");
  expect_normalised({"\uff13\uff15\uff05", "\u0663\u0665\u066a"}, "35 percent");
  expect_normalised({"\uff11\uff0f\uff12"}, "0.5");
  expect_normalised({"北京，中国"}, "北京，中国");  // no mark of a number
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
  expect_normalised({"12 500", "12,500", "twelve thousand five hundred"}, "12500");
  expect_normalised({"1 000,50", "1 000.5", "1'000.50"}, "1000.5");
  expect_normalised({"1 050.75", "1\u00a0050,75"}, "1050.75");
  expect_normalised({"-1 234 567", "\u22121 234 567"}, "-1234567");
  expect_normalised({"10 000\u201312 500 people", "10,000-12,500 people"}, "10000-12500 people");
  expect_normalised({"$12 500", "12 500$"}, "12500");
  expect_normalised({"12 500%"}, "12500 percent");
}

TEST(Quantities, BlanksPartNumbersThatAreNoThousands) {
  expect_normalised({"555 123 4567"}, "555 123 4567");
  expect_normalised({"12 50"}, "12 50");
  expect_normalised({"1234 500"}, "1234 500");
  expect_normalised({"0 500"}, "0 500");
  expect_normalised({"of 558 248th"}, "of 558 248th");
  expect_normalised({"1234 050.75"}, "1234 050.75");
  expect_normalised({"F-16 500"}, "f16 500");
  expect_normalised({"April 15 500"}, "15 april 500");
  expect_normalised({"12 500/600"}, "12 500/600");
  expect_normalised({"5, 500"}, "5 500");
  expect_normalised({"100 200 300"}, "100 200 300");
  expect_normalised({"555 123-4567"}, "555 123-4567");
  expect_normalised({"1 800 555-1212"}, "1 800 555-1212");
  expect_normalised({"3 100-meter races"}, "3 100meter races");
  expect_normalised({"12 100-watt bulbs"}, "12 100watt bulbs");
  expect_normalised({"in 3 100-m races"}, "in 3 100m races");
  expect_normalised({"Psalm 119 105"}, "psalm 119 105");
  expect_normalised({"Windows 95 100 MHz"}, "windows 95 100 mhz");
  expect_normalised({"Area 51 100"}, "area 51 100");
}

TEST(Quantities, PlainBlanksPartThousandsWhereOneNumberIsCertain) {
  expect_normalised({"about 100 000 people", "about 100,000 people"}, "about 100000 people");
  expect_normalised({"10 000-metre", "10,000-metre"}, "10000metre");
  expect_normalised({"384 400 km", "384 400km", "384 400 KM"}, "384400 km");
  expect_normalised({"$384 400", "384 400.0", "384 400$"}, "384400");
  expect_normalised({"-384 400", "minus 384 400"}, "-384400");
  expect_normalised({"£384 400", "384 400£"}, "£ 384400");
  expect_normalised({"119\u00a0105", "119'105"}, "119105");
  expect_normalised({"Psalm 119\u00a0105"}, "psalm 119105");
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
  expect_normalised({"-five", "\u2212five", "\u2013five", "\u22125"}, "-5");
  expect_normalised({"-twenty-five", "\u2212twenty five", "-25"}, "-25");
  expect_normalised({"-two thirds", "minus two thirds", "-2/3", "\u22122/3", "minus 2/3"}, "-2/3");
  expect_normalised({"minus one half", "-one half", "-half", "-\u00bd", "-0.5"}, "-0.5");
  expect_normalised({"it was -five", "it was minus five"}, "it was -5");
  expect_normalised({"-zero", "minus zero", "-0.0"}, "0");
  expect_normalised({"-5\u2013-3", "-5 \u2013 -3", "-5 - -3", "-5\u2014-3"}, "-5 -3");
}

TEST(Quantities, AHyphenBetweenNumbersIsNoSign) {
  expect_normalised(
      {"3-2", "3\u20132", "3 -2", "3\u20142", "3 \u2013 2", "3 \u2014 2", "3\u20102", "three -two"},
      "3-2");
  expect_normalised({"yes\u2014five", "yes \u2014 five"}, "yes 5");
  expect_normalised({"1990-95", "1990\u20131995"}, "1990-1995");
  expect_normalised({"F-16", "F16"}, "f16");
  expect_normalised({"ten minus five"}, "10 minus 5");
  expect_normalised({"10^6"}, "10 6");
}

TEST(Quantities, AHyphenBetweenNumberWordsPartsThem) {
  expect_normalised({"fifty-fifty", "50-50", "50-fifty"}, "50-50");
  expect_normalised({"50/fifty"}, "50 50");
  expect_normalised({"thirty-to-forty", "thirty to forty", "30-to-40"}, "30-to-40");
  expect_normalised({"six-seven feet", "6-7 feet", "six\u2013seven feet"}, "6-7 feet");
  expect_normalised({"one-on-one", "1-on-1"}, "1 on 1");
  expect_normalised({"a seven-year-old", "7-year-old"}, "7yearold");
  expect_normalised({"twenty-odd", "20-odd"}, "20odd");
  expect_normalised({"Catch-twenty-two", "Catch-22"}, "catch22");
}

TEST(Quantities, LettersBehindAnAmountAreItsScale) {
  expect_normalised({"$5M", "$5 million", "$5m", "$5,000,000"}, "5000000");
  expect_normalised({"$1.2B", "$1.2 B", "$1.2bn", "1.2B$"}, "1200000000");
  expect_normalised({"\u20ac5k", "5k\u20ac", "\u20ac5,000"}, "\u20ac 5000");
  expect_normalised({"-$2.5M", "minus $2,500,000"}, "-2500000");
  expect_normalised({"$2T", "$2tn"}, "2000000000000");
  expect_normalised({"US$5M", "US$ 5M", "US$ 5,000,000"}, "us 5000000");
  expect_normalised({"5 m"}, "5 m");  // metres

  expect_normalised({"a 5K run"}, "5k run");
  expect_normalised({"$5 T-shirts"}, "5 tshirts");
  expect_normalised({"$5 T shirts"}, "5 t shirts");
  expect_normalised({"$5 t", "$5 T"}, "5 t");
  expect_normalised({"$5 K"}, "5 k");
  expect_normalised({"$5 m"}, "5 m");
  expect_normalised({"$5 b flat"}, "5 b flat");
  expect_normalised({"$5 B flat"}, "5 b\u266d");
  expect_normalised({"$5 M&Ms"}, "5 mms");
  expect_normalised({"$5 M, paid", "$5 mn, paid", "$5M, paid"}, "5000000 paid");
}

TEST(Quantities, TheSignOfACurrencyStandsBeforeItsNumber) {
  expect_normalised({"5\u20ac", "5 \u20ac", "\u20ac5", "\u20ac 5", "\u20ac5.00"}, "\u20ac 5");
  expect_normalised({"5\u20bd", "\u20bd5"}, "\u20bd 5");
  expect_normalised({"5 million \u00a3", "\u00a35m"}, "\u00a3 5000000");
  expect_normalised({"-5\u20ac", "minus 5 \u20ac", "minus \u20ac5"}, "\u20ac -5");

  expect_normalised({"5 \u20ac10"}, "5 \u20ac 10");
  expect_normalised({"\u20ac5\u2013\u20ac10", "5\u20ac\u201310\u20ac"}, "\u20ac 5 \u20ac 10");
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
  expect_normalised({"two hundred and a half", "2 hundred and a half", "200.5"}, "200.5");
  expect_normalised({"two thousand and a half", "2 thousand and a half"}, "2500");
}

TEST(Quantities, PercentsAreWords) {
  expect_normalised({"35%", "35 %", "35 percent", "35 per cent", "thirty-five percent"},
                    "35 percent");
  expect_normalised({"5%-10%", "5%\u201310%"}, "5 percent 10 percent");
  expect_normalised({"3.5%", "3.50 percent"}, "3.5 percent");
  expect_normalised({"5-10%"}, "5-10 percent");
}

TEST(Quantities, TimesKeepTheirColon) {
  expect_normalised({"10:30", "ten thirty", "half past ten", "half past 10"}, "10:30");
  expect_normalised({"1030"}, "1030");
  expect_normalised({"10:30 a.m.", "10:30AM", "10.30 am", "ten thirty am"}, "10:30am");
  expect_normalised({"10 am", "10:00 a.m.", "10am", "10:00a.m.", "10a.m.", "10A.M", "ten a.m."},
                    "10:00am");
  expect_normalised({"5p.m.", "5 p.m.", "5 P. M.", "5:00pm"}, "5:00pm");
  expect_normalised({"9:45", "09:45", "quarter to ten"}, "9:45");
  expect_normalised({"quarter past one"}, "1:15");
  expect_normalised({"five past nine", "five minutes past nine"}, "9:05");
  expect_normalised({"twenty minutes to one"}, "12:40");
  expect_normalised({"eleven thirty"}, "11:30");
  expect_normalised({"twelve fifteen"}, "12:15");
  expect_normalised({"nine eleven"}, "9 11");
  expect_normalised({"3:2:1"}, "3:2:1");
}

TEST(Quantities, TimesSayTheirHalfOfTheDay) {
  expect_normalised({"9:15 a.m.", "9.15 am", "9:15 AM", "9:15 a. m.", "9:15 in the morning",
                     "quarter past nine in the morning", "at 9:15 a.m."},
                    "9:15am");
  expect_normalised({"8 pm", "8:00 p.m.", "eight in the evening", "8 tonight",
                     "8 o'clock in the evening", "8 o\u2019clock at night", "at 8 PM"},
                    "8:00pm");
  expect_normalised({"2 at night"}, "2:00am");
  expect_normalised({"8 o'clock", "eight o'clock"}, "8:00");
  expect_normalised({"noon", "at noon", "12 noon", "12 p.m."}, "12:00pm");
  expect_normalised({"Midnight.", "at midnight", "12 midnight", "12 a.m.", "0:00 am"}, "12:00am");
  expect_normalised({"High Noon"}, "high noon");
  expect_normalised({"22:30"}, "22:30");
  expect_normalised({"13:30 pm"}, "1:30pm");
  expect_normalised({"1945 in the morning"}, "1945 in morning");
  expect_normalised({"9am-5pm", "9 am \u2013 5 pm"}, "9:00am-5:00pm");
}

TEST(Quantities, ARangeAndAScoreAreOneWord) {
  expect_normalised({"3-1", "3\u20131", "3 - 1", "3\u20141", "three-one"}, "3-1");
  expect_normalised({"3 to 5", "three to five"}, "3-to-5");
  expect_normalised({"between 3 and 5"}, "between 3-and-5");
  expect_normalised({"3 and 5"}, "3 and 5");
  expect_normalised({"4-3-3"}, "4-3-3");
  expect_normalised({"$5m-$10m"}, "5000000-10000000");
  expect_normalised({"6-4,6-3", "6-4, 6-3", "6\u20134 6\u20133"}, "6-4 6-3");
  expect_normalised({"6-4,6"}, "6-4.6");
  expect_normalised({"1998-97"}, "1998-97");  // no year behind 1998
}

TEST(Quantities, SignsBehindLettersAreOfThem) {
  expect_normalised({"O-", "O\u2212", "O negative", "(O-)."}, "o-");
  expect_normalised({"A+", "A positive", "A plus", "an A+"}, "a+");
  expect_normalised({"AB+ blood", "AB positive blood"}, "ab+ blood");
  expect_normalised({"C++", "C plus plus", "c++."}, "c++");
  expect_normalised({"C# minor", "C\u266f minor", "C sharp minor"}, "c# minor");
  expect_normalised({"A\u266d", "A flat"}, "a\u266d");
  expect_normalised({"Ca2+"}, "ca2+");
  expect_normalised({"Rh-", "Rh negative"}, "rh-");
  expect_normalised({"A positive number", "a positive number"}, "positive number");
  expect_normalised({"O-ring"}, "oring");
  expect_normalised({"re- and de-"}, "re and de");
}

TEST(Quantities, SignsBeforeANumberCompareIt) {
  expect_normalised({">5", "> 5", "more than 5", "more than five"}, "more-than-5");
  expect_normalised({"p<0.05", "p < 0.05"}, "p less-than-0.05");
  expect_normalised({"\u226510", ">= 10", "at least ten"}, "at-least-10");
  expect_normalised({"x -> 5"}, "x 5");
  expect_normalised({"no more than 5", "no more than five"}, "no-more-than-5");
  expect_normalised({"not over $5"}, "not-over-5");
  expect_normalised({"greater than or equal to 5"}, "greater-than-or-equal-to-5");
  expect_normalised({"a maximum of 5"}, "maximum-of-5");
  expect_normalised({"5 or more", "five or more"}, "5-or-more");
  expect_normalised({"18 years or older"}, "18-or-older years");
  expect_normalised({"5% or less", "5 percent or less"}, "5-or-less percent");
  expect_normalised({"No, more than 5", "no (more than 5)"}, "no more-than-5");
  expect_normalised({"carry-over 5"}, "carryover 5");
  expect_normalised({"no at least 5"}, "no at-least-5");
  expect_normalised({"5 more or less"}, "5 more or less");
  expect_normalised({"8,800 BCE and up to 5"}, "8800 bce and up-to-5");
  expect_normalised({"5 or more than 10"}, "5 or more-than-10");
  expect_normalised({"more than enough"}, "more than enough");
}

TEST(Quantities, FeetAndInchesAreOneWord) {
  expect_normalised({"6'2\"", "6'2", "6\u20322\u2033", "6\u20192\u201d", "6 ft 2 in", "6ft 2in",
                     "6 feet 2 inches", "6-foot-2", "six feet two"},
                    "6ft2in");
  expect_normalised({"11'5\""}, "11ft5in");
  expect_normalised({"6 feet 2 people"}, "6 feet 2 people");
  expect_normalised({"1'200"}, "1200");
}

// Texts as a reference and a candidate; the candidate is "" where it stays as it is.
TEST(Quantities, ACandidateIsWrittenAsTheReferenceWithItsQuantity) {
  struct Case {
    std::string reference, candidate, compared;
  };
  for (const auto& [reference, candidate, compared] :
       {Case{"10:30 pm", "22:30", "10:30pm"},
        Case{"22:30", "10:30 pm", "22:30"},
        Case{"10:30 pm", "10:30", "10:30pm"},
        Case{"10:30", "it is 10.30 now", "it is 10:30 now"},
        Case{"10.30", "10:30", "10:30"},
        Case{"8 pm", "at 8", "at 8:00pm"},
        Case{"8 pm", "8 people", "8 people"},
        Case{"at 8", "8 pm", "8"},
        Case{"00:30", "12:30 am", "0:30"},
        Case{"9:15 am", "9:15 pm", "9:15pm"},
        Case{"22:30", "10:30", "10:30"},  // neither says a half of the day
        Case{"15,000", "15k people", "15000 people"},
        Case{"2.5 million", "2.5 m", "2500000"},
        Case{"2.5m", "2.5 million", "2.5 m"},
        Case{"2.5 m", "2.5 cm", "2.5 cm"},
        Case{"3-1", "3 to 1", "3 1"},
        Case{"3:1", "3 to 1", "3:1"},
        Case{"3-1", "1-3", "1-3"},
        Case{"3 to 5", "5-3", "5-3"},
        Case{"9 am to 5 pm", "9am-5pm", "9:00am to 5:00pm"},
        Case{"9 am to 5 pm", "9pm-5am", "9:00pm-5:00am"},
        Case{"4-2", "1-3", "1 3"},
        Case{"more than 20", "over 20", "more than 20"},
        Case{"more than 20", "under 20", "under-20"},
        Case{"20", "under 20", "under 20"},
        Case{"at most 5", "no more than 5", "at most 5"},
        Case{"at most 5", "not over 5 of them", "at most 5 of them"},
        Case{"at least 5", "no fewer than 5", "at least 5"},
        Case{"at least 5", "5 or more", "at least 5"},
        Case{"5 years or more", "at least 5 years", "5 or more years"},
        Case{"18 and over", "18 years or older", "18 and over years"},
        Case{"\u2264 5", "5 at most", "at most 5"},
        Case{"up to 5", "a maximum of 5", "up to 5"},
        Case{"\u2265 5", "greater than or equal to 5", "at least 5"},
        Case{"more than 5", "no more than 5", "no-more-than-5"},
        Case{"less than 5", "no less than 5", "no-less-than-5"},
        Case{"5 or more", "5 or less", "5-or-less"},
        Case{"at most 4500", "at most 45000", "at-most-45000"},
        Case{"14:00-16:00", "2 pm to 4 pm", "14:00 16:00"},
        Case{"2-4 pm", "14:00 until 16:00", "2 4:00pm"},
        Case{"14:00-16:00", "4 pm to 2 pm", "4:00pm to 2:00pm"},
        Case{"14:00-16:00", "2 to 4", "2 to 4"},
        Case{"8 pm", "it starts at 8 in the hall", "it starts at 8:00pm in hall"},
        Case{"at 8 on Monday", "20:00", "20:00"},
        Case{"at 8 on Monday", "8 pm on Monday", "8 on monday"},
        Case{"version 2.0.1", "v2.0.1", "version 2.0.1"}}) {
    const std::string references[] = {normalize_quantities(reference)};
    EXPECT_EQ(compared_quantities(normalize_quantities(candidate), references), compared)
        << reference << ", " << candidate;
  }
  EXPECT_EQ(compared_quantities("1-3 3-5", {}), "1 3 3 5");
}

TEST(Quantities, DigitsInAnotherOrderAreSeen) {
  EXPECT_TRUE(are_other_orders("3-1", "1-3"));
  EXPECT_TRUE(are_other_orders("10.0.0.1", "1.0.0.10"));
  EXPECT_TRUE(are_other_orders("9:15am", "9:15pm"));
  EXPECT_TRUE(are_other_orders("more-than-5", "less-than-5"));
  EXPECT_TRUE(are_other_orders("15000", "15"));
  EXPECT_FALSE(are_other_orders("3-1", "3-to-1"));
  EXPECT_FALSE(are_other_orders("1970s", "1970"));
  EXPECT_FALSE(are_other_orders("more-than-5", "5"));
  EXPECT_TRUE(are_other_orders("4500", "45000"));
  EXPECT_TRUE(are_other_orders("over-4500", "over-45000"));
  EXPECT_FALSE(are_other_orders("2010", "12"));
  EXPECT_FALSE(are_other_orders("45", "45"));
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
                     "1912-04-05", "1912/04/05", "1912/4/5", "1912.04.05", "5. 4. 1912",
                     "05-Apr-1912", "APRIL\u00a05\u00a01912"},
                    "5 april 1912");
  expect_normalised({"Sept. 30", "September 30th", "30 sep", "the 30th of September"},
                    "30 september");
  expect_normalised({"in Dec. 1999", "in December, 1999"}, "in december 1999");
  expect_normalised(
      {"(July 4, 1776)", "4 July 1776!", "the fourth of July, 1776", "July fourth, 1776"},
      "4 july 1776");
  expect_normalised({"15 April 1912", "4/15/1912", "15/4/1912", "15.04.1912", "15-04-1912",
                     "04-15-1912", "15. 4. 1912", "1912\u201104\u201115"},
                    "15 april 1912");
  expect_normalised({"2012-04", "April 2012", "Apr. 2012"}, "april 2012");
}

TEST(Quantities, NoDayIsReadWhereNoneIs) {
  expect_normalised({"Mar and Jan"}, "mar and jan");
  expect_normalised({"April 32"}, "april 32");
  expect_normalised({"5. Apr"}, "5 apr");
  expect_normalised({"1912-13-05"}, "1912-13-05");
  expect_normalised({"1912-00-05"}, "1912-00-05");
  expect_normalised({"1912-04-32"}, "1912-04-32");
  expect_normalised({"1912-4-5"}, "1912-4-5");
  expect_normalised({"4/5/1912"}, "4/5/1912");  // April or May
  expect_normalised({"04-05-1912"}, "04-05-1912");
  expect_normalised({"2003-04"}, "2003-2004");  // a season
  expect_normalised({"2012-13"}, "2012-2013");
  expect_normalised({"2012-04-"}, "2012-04");
}

}  // namespace
}  // namespace rubric::text
