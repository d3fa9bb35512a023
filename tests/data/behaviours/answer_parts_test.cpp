#include "data/behaviours/answer_parts.h"

#include <gtest/gtest.h>

namespace rubric::data::answer_parts_test {

TEST(AnswerParts, KindsOfAnswers) {
  EXPECT_EQ(kind_of("July 4, 1776"), AnswerKind::date);
  EXPECT_EQ(kind_of("in 1997"), AnswerKind::date);
  EXPECT_EQ(kind_of("May"), AnswerKind::date);
  EXPECT_EQ(kind_of("3,210 people"), AnswerKind::number);
  EXPECT_EQ(kind_of("Duke of Wellington"), AnswerKind::name);
  EXPECT_EQ(kind_of("Łódź"), AnswerKind::name);
  EXPECT_EQ(kind_of("Helen Marwick"), AnswerKind::person);
  EXPECT_EQ(kind_of("the left atrium"), AnswerKind::text);
  EXPECT_EQ(kind_of("No."), AnswerKind::yes_no);
  EXPECT_EQ(kind_of("no longer"), AnswerKind::text);
  EXPECT_TRUE(names_month("on July 4th"));
  EXPECT_FALSE(names_month("Julys"));
}

TEST(AnswerParts, FamilyNamesOfPersons) {
  EXPECT_EQ(family_name("Helen Marwick"), "Marwick");
  EXPECT_EQ(family_name("Helen B. Marwick."), "Marwick");
  EXPECT_EQ(family_name("Helen Anne Marwick"), "Marwick");
  for (const char* other :
       {"Marwick", "Grand Hotels", "The Helen Marwick", "Helen van Marwick", "Helen De Marwick",
        "Helen Ng", "Helen MacLeod", "Helen Marwick Jr", "Helen and Anne Marwick", ""}) {
    EXPECT_FALSE(family_name(other)) << other;
  }
}

TEST(AnswerParts, DaysAsEnglishWritesThem) {
  for (const char* text : {"July 4, 1776", "4 July 1776", "July 4th 1776", "July 4, 1776.",
                           "July\u00a04,\u00a01776"}) {
    const std::optional<Date> date = date_of(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date->year, 1776);
    EXPECT_EQ(date->month, 7);
    EXPECT_EQ(date->day, 4);
  }
  for (const char* text : {"July 1776", "4, 1776 July", "July 4, 76", "on July 4, 1776",
                           "June 31, 1776", "July 0, 1776", "July July 1776", ""}) {
    EXPECT_FALSE(date_of(text)) << text;
  }
}

TEST(AnswerParts, FormsOfADay) {
  const Date date{.year = 1921, .month = 9, .day = 22};
  EXPECT_EQ(written(date, DateForm::month_first), "September 22, 1921");
  EXPECT_EQ(written(date, DateForm::day_first), "22 September 1921");
  EXPECT_EQ(written(date, DateForm::ordinal_day), "September 22nd, 1921");
  EXPECT_EQ(written(date, DateForm::iso), "1921-09-22");
  EXPECT_EQ(written(date, DateForm::abbreviated), "Sep. 22, 1921");
  EXPECT_EQ(written(date, DateForm::ordinal), "the 22nd of September, 1921");
  EXPECT_EQ(written({.year = 2001, .month = 5, .day = 11}, DateForm::ordinal),
            "the 11th of May, 2001");
  EXPECT_EQ(written({.year = 2001, .month = 5, .day = 11}, DateForm::abbreviated), "May 11, 2001");
}

TEST(AnswerParts, TheFirstWholeNumber) {
  const auto changed = [](const char* text) {
    const std::optional<NumberPlace> place = first_number(text);
    return place ? with_number(text, *place, place->value + 1) : "none";
  };
  EXPECT_EQ(changed("about 999 men"), "about 1000 men");
  EXPECT_EQ(changed("999,999"), "1,000,000");
  EXPECT_EQ(changed("$1,234 in 2001"), "$1,235 in 2001");
  EXPECT_EQ(changed("1,2"), "2,2");  // no group of three
  EXPECT_EQ(changed("3.5 or 7"), "3.5 or 8");
  EXPECT_EQ(changed("B12 and 4th"), "none");
  EXPECT_EQ(changed("№12 or é5 or 5é"), "№13 or é5 or 5é");
  EXPECT_EQ(changed("£5"), "£6");
  EXPECT_EQ(changed("1914–1918"), "1915–1918");  // with an en dash
  EXPECT_EQ(changed("5\u00A0km"), "6\u00A0km");  // with a no-break space
  EXPECT_EQ(changed("1234567890"), "none");
  EXPECT_EQ(changed("2018"), "2019");
  EXPECT_EQ(changed("42."), "43.");
  EXPECT_EQ(changed(""), "none");
}

TEST(AnswerParts, NumbersInWords) {
  EXPECT_EQ(number_of_word("Seven."), 7);
  EXPECT_EQ(number_of_word("zero"), 0);
  for (const char* text : {"seven dwarfs", "thirteen", "7", ""}) EXPECT_FALSE(number_of_word(text));
}

TEST(AnswerParts, UnitsInOtherSpellingsAndOtherUnits) {
  for (uint64_t draw = 0; draw < 50; ++draw) {
    const std::optional<UnitSpellings> units = other_units("about 5 km away", draw << 58);
    ASSERT_TRUE(units);
    EXPECT_TRUE(units->same == "about 5 kilometers away" ||
                units->same == "about 5 kilometres away")
        << units->same;
    EXPECT_NE(units->other.find("about 5 "), std::string::npos) << units->other;
    EXPECT_EQ(units->other.find("k"), std::string::npos) << units->other;
  }
  EXPECT_EQ(other_units("30%", 0)->same.substr(0, 6), "30 per");
  EXPECT_EQ(other_units("3 months", 0)->same, "");
  EXPECT_FALSE(other_units("5 kmart shops", 0));
  EXPECT_FALSE(other_units("several miles", 0));
  EXPECT_EQ(other_units("5 pounds sterling", 0)->same, "5 GBP");
  // Of several meanings, or almost the same.
  for (const char* text : {"5 pounds", "5 tons", "$5 m"}) EXPECT_FALSE(other_units(text, 0));
}

TEST(AnswerParts, ATypoExchangesTwoLettersOfTheLongestWord) {
  EXPECT_EQ(with_typo("the Wellington"), "the Wellignton");
  EXPECT_EQ(with_typo("Hanna"), "Hanan");  // the middle ones are equal
  EXPECT_FALSE(with_typo("Rome"));
  EXPECT_FALSE(with_typo("aaaaaaa"));
}

}  // namespace rubric::data::answer_parts_test
