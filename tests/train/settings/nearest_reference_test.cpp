#include <gtest/gtest.h>

#include "train/settings/lerc_data.h"

namespace rubric::train {
namespace {

std::string nearest(const std::string& candidate, const std::vector<std::string>& references) {
  data::Answer answer;
  answer.candidate = candidate;
  answer.references = references;
  return nearest_reference(answer);
}

TEST(NearestReference, HasMostOfItsWordsInTheCandidate) {
  EXPECT_EQ(nearest("It was Anna Li, in 1901.", {"Ann Lee", "anna li"}), "anna li");
  EXPECT_EQ(nearest("It was Anna Li.", {"Anna Maria Li", "Li"}), "Li");  // 2 of 3, 1 of 1
  EXPECT_EQ(nearest("It was Anna Li.", {"Li", "Anna Li"}), "Anna Li");   // both whole
  EXPECT_EQ(nearest("Röntgen", {"Roentgen", "Wilhelm Röntgen"}), "Wilhelm Röntgen");
  EXPECT_EQ(nearest("li li", {"li li li", "li"}), "li");  // 2 of 3, 1 of 1
}

TEST(NearestReference, IsTheFirstWhereNoneIsNearer) {
  EXPECT_EQ(nearest("nobody", {"a", "b"}), "a");
  EXPECT_EQ(nearest("", {"a", "b"}), "a");
  EXPECT_EQ(nearest("x", {"", "!"}), "");
  EXPECT_EQ(nearest("Li", {"LI", "li"}), "LI");
}

}  // namespace
}  // namespace rubric::train
