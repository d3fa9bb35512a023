#include "metrics/ngram/nearest_references.h"

#include <string>

#include <gtest/gtest.h>

namespace rubric::metrics::nearest_references_test {

using Texts = std::vector<std::string>;

Texts in_order(const std::string& candidate, const Texts& references) {
  data::Answer answer;
  answer.candidate = candidate;
  answer.references = references;
  Texts ordered;
  for (const size_t i : nearest_references(answer)) ordered.push_back(references[i]);
  return ordered;
}

std::string nearest(const std::string& candidate, const Texts& references) {
  return in_order(candidate, references).front();
}

TEST(NearestReferences, BeginWithTheOneThatHasMostOfItsWordsInTheCandidate) {
  EXPECT_EQ(nearest("It was Anna Li, in 1901.", {"Ann Lee", "anna li"}), "anna li");
  EXPECT_EQ(nearest("It was Anna Li.", {"Anna Maria Li", "Li"}), "Li");  // 2 of 3, 1 of 1
  EXPECT_EQ(nearest("It was Anna Li.", {"Li", "Anna Li"}), "Anna Li");   // both whole
  EXPECT_EQ(nearest("Röntgen", {"Roentgen", "Wilhelm Röntgen"}), "Wilhelm Röntgen");
  EXPECT_EQ(nearest("li li", {"li li li", "li"}), "li");  // 2 of 3, 1 of 1
}

TEST(NearestReferences, KeepTheirOrderWhereNoneIsNearer) {
  EXPECT_EQ(in_order("nobody", {"b", "c"}), (Texts{"b", "c"}));
  EXPECT_EQ(in_order("", {"b", "c"}), (Texts{"b", "c"}));
  EXPECT_EQ(in_order("it was Anna Li", {"Bo", "Anna", "Anna Li", "Cy"}),
            (Texts{"Anna Li", "Anna", "Bo", "Cy"}));
}

TEST(NearestReferences, ThatAreEqualOnceNormalisedAreThereOnce) {
  EXPECT_EQ(in_order("x", {"The LI", "li!", "Bo", "a Li", "bo"}), (Texts{"The LI", "Bo"}));
  EXPECT_EQ(in_order("Li", {"the Li", "Li", "Bo"}), (Texts{"Li", "Bo"}));  // the nearest of equals
  EXPECT_EQ(in_order("x", {"", "!"}), (Texts{""}));
  EXPECT_EQ(in_order("x", {}), Texts{});
  EXPECT_EQ(in_order("pi", {"314", "3.14", "314."}), (Texts{"314", "3.14"}));  // two numbers
  EXPECT_EQ(in_order("five", {"5", "-5"}), (Texts{"5", "-5"}));
}

TEST(NearestReferences, CompareNumberWordsInDigits) {
  EXPECT_EQ(in_order("eight days", {"7 days", "8 days"}), (Texts{"8 days", "7 days"}));
  EXPECT_EQ(in_order("8 days", {"eight days", "8 days"}), Texts{"8 days"});  // written alike
  EXPECT_EQ(in_order("eight days", {"8 days", "Eight days"}), Texts{"Eight days"});
  EXPECT_EQ(nearest("1 of them", {"two", "no one"}), "two");
  EXPECT_EQ(nearest("1 of them", {"two", "no-one"}), "two");
  EXPECT_EQ(nearest("1 of them", {"two", "No, one"}), "No, one");
}

}  // namespace rubric::metrics::nearest_references_test
