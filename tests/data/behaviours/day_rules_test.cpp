#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "data/behaviours/behaviours.h"

namespace rubric::data::day_rules_test {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The correct and the incorrect candidate of 20 seeds and all wordings, for one question.
Pairs year_pairs(const std::string& question, const std::vector<std::string>& references) {
  Answer asked;
  asked.question = question;
  asked.references = references;
  Pairs pairs;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const Wordings wordings : {Wordings::learning, Wordings::tuning, Wordings::testing}) {
      const std::vector<Answer> rows =
          derive_behaviours(std::vector{asked},
                            {.wordings = wordings, .names = {"year"}, .seed = seed})
              .rows;
      if (!rows.empty()) pairs.emplace_back(rows.at(0).candidate, rows.at(1).candidate);
    }
  }
  return pairs;
}

TEST(DayRules, ADayOfTheYearIsRightWhereTheReferenceIsTheYear) {
  const Pairs pairs = year_pairs("when did it open", {"1932"});
  ASSERT_EQ(pairs.size(), 60u);
  for (const auto& [correct, incorrect] : pairs) {
    EXPECT_GT(correct.size(), std::string("in 1932").size()) << correct;
    std::string other = incorrect;  // they differ in nothing else
    size_t place = other.find("1931");
    if (place == std::string::npos) place = other.find("1933");
    ASSERT_NE(place, std::string::npos) << incorrect;
    EXPECT_EQ(other.replace(place, 4, "1932"), correct);
  }
}

TEST(DayRules, TheYearBesideIsNoOtherReference) {
  const Pairs pairs = year_pairs("when did it open", {"1932", "in 1933"});
  EXPECT_EQ(pairs.size(), 60u);
  for (const auto& [correct, incorrect] : pairs)
    EXPECT_NE(incorrect.find("1931"), std::string::npos);
  EXPECT_TRUE(year_pairs("when did it open", {"1932", "1931", "1933"}).empty());
}

TEST(DayRules, ADayIsDrawnOnlyWhereNoReferenceAndNoMonthSaysWhich) {
  EXPECT_FALSE(year_pairs("In what year did it open?", {"1932"}).empty());
  EXPECT_FALSE(year_pairs("when did it open", {"in 1932"}).empty());
  EXPECT_TRUE(year_pairs("when did it open", {"2150"}).empty());
  for (const char* other :
       {"May 1932", "May\u00a04,\u00a01932", "1931-32", "spring 1932", "1930s"}) {
    EXPECT_TRUE(year_pairs("when did it open", {"1932", other}).empty()) << other;
  }
  for (const char* question : {"how many a year", "how many came when it opened",
                               "in what year did the june 6 landing happen"}) {
    EXPECT_TRUE(year_pairs(question, {"1932"}).empty()) << question;
  }
}

}  // namespace rubric::data::day_rules_test
