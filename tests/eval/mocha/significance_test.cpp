#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"

namespace rubric::eval::significance_test {

// Of 1 2 4 5 in two constituents "lerc" is right in one and reversed in the other, "other" 1 2 5 4
// and 1 4 2 5; "lerc" alone scores the pairs.
MochaTests tests_of(Example& example, const std::vector<data::AnswerPair>& pairs) {
  MochaPredictions other{"other", {}, std::nullopt};
  const double drop[] = {1, 2, 5, 4}, quoref[] = {1, 4, 2, 5};
  for (int i = 0; i < 4; ++i) {
    other.answers[{"drop", std::to_string(i)}] = drop[i];
    other.answers[{"quoref", std::to_string(i)}] = quoref[i];
  }
  const std::vector<MochaPredictions> metrics = {example.lerc, other};
  return test_mocha(example.answers, pairs, metrics, {});
}

TEST(MochaTests, MetricsAreTestedInEachConstituent) {
  Example example;
  const MochaTests tests = tests_of(example, {});
  ASSERT_EQ(tests.correlations.size(), 2u);
  // By hand, "other" has r .9 in drop (deviations -2 -1 2 1 beside -2 -1 1 2), .6 in quoref.
  EXPECT_NEAR(tests.correlations[0].difference, 1 - 0.9, 1e-12);
  EXPECT_NEAR(tests.correlations[1].difference, -1 - 0.6, 1e-12);
  EXPECT_TRUE(tests.pairs.empty());
  EXPECT_TRUE(tests.annotators.empty());
}

TEST(MochaTests, AnnotatorsAgreeAsFarAsTheirRatingsSay) {
  Example example;
  for (data::Answer& answer : example.answers) {
    if (answer.constituent == "drop") answer.ratings = {*answer.score, *answer.score};
  }
  example.answers[0].ratings.pop_back();  // one rating says nothing
  const MochaTests tests = tests_of(example, {});
  ASSERT_EQ(tests.annotators.size(), 1u);
  EXPECT_EQ(tests.annotators[0].constituent, "drop");
  EXPECT_EQ(tests.annotators[0].n, 3);
  EXPECT_EQ(tests.annotators[0].alpha, 1);
}

TEST(MochaTests, PairsAreTestedAmongMetricsThatScoredThem) {
  const std::vector<data::AnswerPair> pairs = four_pairs();
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  EXPECT_TRUE(tests_of(example, pairs).pairs.empty());  // one metric alone
  MochaPredictions reversed{"reversed", example.lerc.answers, predictions_of_pairs()};
  std::swap(reversed.pairs->better, reversed.pairs->worse);
  const std::vector<MochaPredictions> metrics = {example.lerc, reversed};
  const MochaTests tests = test_mocha(example.answers, pairs, metrics, {"drop"});
  ASSERT_EQ(tests.pairs.size(), 1u);
  EXPECT_EQ(tests.pairs[0].group, "drop");
  EXPECT_EQ(tests.pairs[0].difference, 0);  // each is right on one; ties and missing ones are not
  EXPECT_EQ(tests.pairs[0].p, 1);
}

}  // namespace rubric::eval::significance_test
