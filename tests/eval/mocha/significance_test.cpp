#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"
#include "measured.h"

namespace rubric::eval::significance_test {

// Of 1 2 4 5 in two constituents "lerc" is right in one and reversed in the other, "other" 1 2 5 4
// and 1 4 2 5; "lerc" alone scores the pairs.
std::vector<Measurement> tests_of(Example& example, const std::vector<data::AnswerPair>& pairs) {
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
  const std::vector<Measurement> tests = tests_of(example, {});
  ASSERT_EQ(tests.size(), 4u);
  const auto difference = [&](const std::string& group) {
    return measurement_of(
               tests, "difference",
               {.metric = "lerc", .against = "other", .group = group, .method = "williams"})
        .value.value();
  };
  // By hand, "other" has r .9 in drop (deviations -2 -1 2 1 beside -2 -1 1 2), .6 in quoref.
  EXPECT_NEAR(difference("drop"), 1 - 0.9, 1e-12);
  EXPECT_NEAR(difference("quoref"), -1 - 0.6, 1e-12);
}

TEST(MochaTests, AnnotatorsAgreeAsFarAsTheirRatingsSay) {
  Example example;
  for (data::Answer& answer : example.answers) {
    if (answer.constituent == "drop") answer.ratings = {*answer.score, *answer.score};
  }
  example.answers[0].ratings.pop_back();  // one rating says nothing
  const std::vector<Measurement> tests = tests_of(example, {});
  const Measurement& alpha =
      measurement_of(tests, "krippendorff_alpha", {.metric = "human", .group = "drop"});
  EXPECT_EQ(alpha.n, 3);
  EXPECT_EQ(alpha.value, 1);
}

TEST(MochaTests, PairsAreTestedAmongMetricsThatScoredThem) {
  const std::vector<data::AnswerPair> pairs = four_pairs();
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  for (const Measurement& one : tests_of(example, pairs)) {
    EXPECT_NE(one.keys.method, "mcnemar");  // one metric alone
  }
  MochaPredictions reversed{"reversed", example.lerc.answers, predictions_of_pairs()};
  std::swap(reversed.pairs->better, reversed.pairs->worse);
  const std::vector<MochaPredictions> metrics = {example.lerc, reversed};
  const std::vector<Measurement> tests = test_mocha(example.answers, pairs, metrics, {"drop"});
  const Measurement& test = measurement_of(
      tests, "difference",
      {.metric = "lerc", .against = "reversed", .group = "drop", .method = "mcnemar"});
  EXPECT_EQ(test.value, 0);  // each is right on one; ties and missing ones are not
  EXPECT_EQ(test.p, 1);
}

}  // namespace rubric::eval::significance_test
