#include "text/quantities.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cases.h"

namespace rubric::text::quantities_test {

TEST(Quantities, AreWrittenInOneFormHoweverTheyAreSaid) {
  for (const auto& [normalised, texts] :
       cases<std::string, std::vector<std::string>>("text/quantities.json", "normalised")) {
    for (const std::string& text : texts) EXPECT_EQ(normalize_quantities(text), normalised) << text;
  }
  EXPECT_EQ(normalize_quantities("\xff twenty-five \xe2\x82"), "\xff 25 \xe2\x82");
}

TEST(Quantities, LongTextsOfNumberWordsAreRead) {
  const auto repeated = [](const std::string& word, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += word;
    return text;
  };
  for (const auto& [word, normalised] :
       cases<std::string, std::string>("text/quantities.json", "repeated three times")) {
    EXPECT_EQ(normalize_quantities(repeated(word, 3)), normalised);
    EXPECT_FALSE(normalize_quantities(repeated(word, 20000)).empty()) << word;
  }
}

TEST(Quantities, ACandidateIsWrittenAsTheReferenceWithItsQuantity) {
  for (const auto& [reference, candidate, compared] :
       cases<std::string, std::string, std::string>("text/quantities.json", "compared")) {
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

}  // namespace rubric::text::quantities_test
