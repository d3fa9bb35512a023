#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"

namespace rubric::eval {
namespace {

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

TEST(MochaTests, MetricsAreTestedInEachConstituentAndCorrectedOverAll) {
  Example example;
  const MochaTests tests = tests_of(example, {});
  ASSERT_EQ(tests.correlations.size(), 2u);
  // By hand, "other" has r .9 in drop (deviations -2 -1 2 1 beside -2 -1 1 2), .6 in quoref.
  EXPECT_NEAR(tests.correlations[0].difference, 1 - 0.9, 1e-12);
  EXPECT_NEAR(tests.correlations[1].difference, -1 - 0.6, 1e-12);
  for (const MetricTest& test : tests.correlations) EXPECT_LE(test.p, test.corrected_p);
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

TEST(MochaTests, TablesNameTheBest) {
  const std::vector<MochaResult> results = two_results();
  MochaTests tests;
  tests.metrics = {"lerc", "bleu1"};
  tests.correlations = {{"drop", 0, 1, 0.1, 2, 0.01, 0.02}};
  tests.annotators = {{"drop", 0.75, 4}};
  const std::vector<Table> tables = mocha_test_tables(tests, results);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].rows[0], (std::vector<std::string>{"drop", "best", "0.020"}));
  EXPECT_EQ(tables[0].rows[1], (std::vector<std::string>{"quoref", "best", "–"}));
  EXPECT_EQ(tables[0].notes, (std::vector<std::string>{correction_note(tests.correlations)}));
  EXPECT_EQ(tables[1].rows[0], (std::vector<std::string>{"drop", "4", "0.750"}));
  const Json json = to_json(tests);
  EXPECT_EQ(json.find("annotators")->find("drop")->find("alpha")->number(), 0.75);
  EXPECT_EQ(json.find("tests")->find("pearson")->array()[0].find("p_holm")->number(), 0.02);
  Table figures = mocha_value_table(results);
  add_test_values(tests, figures);
  EXPECT_EQ(figures.rows.back(),
            (std::vector<std::string>{"lerc", "pearson_difference", "drop", "", "0.100000", "", "",
                                      "", "bleu1", "0.01", "0.02"}));
}

}  // namespace
}  // namespace rubric::eval
