// What is said of the best model beside the baselines.
#include "train/loop/training.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "messages.h"
#include "stats/correlation.h"
#include "stats/significance.h"

namespace rubric::train {
namespace {

constexpr auto kWilliams = AgreementTest::williams;

std::string note(std::optional<double> run, std::optional<double> baseline,
                 const std::optional<DifferenceTest>& test = {}) {
  return comparison_note(run, {"recall", baseline}, test);
}

TEST(ComparisonNote, AGainMayBeChanceWhereItsPIsAbove005) {
  EXPECT_EQ(note(0.748, 0.7, DifferenceTest{kWilliams, 0.21, 84}),
            "The gain over recall, 0.0480, has p 0.210 (Williams' test, 84 dev rows): it may be "
            "chance.");
  expect_contains(note(0.9, 0.1, DifferenceTest{AgreementTest::permutation, 0.0501, 9}),
                  "permutation test by question, 9 dev rows");
  // A gain far below the standard error of one r may be significant: both are of the same rows.
  EXPECT_EQ(
      note(0.7003, 0.7, DifferenceTest{kWilliams, 0.05, 84}),
      "The gain over recall, 0.0003, has p 0.050 (Williams' test, 84 dev rows). This p is too "
      "small, because these rows chose the model.");
  EXPECT_EQ(note(0.7003, 0.7), "");  // a mean over constituents
  expect_contains(note(0.9, 0.1, DifferenceTest{kWilliams, std::nullopt, 3}),
                  "has no p (Williams' test, 3 dev rows)");
}

// A lower value may be chance as well as a gain.
TEST(ComparisonNote, FewRowsCannotTellThatTheModelIsWorse) {
  EXPECT_EQ(note(0.1256, 0.1829, DifferenceTest{kWilliams, 0.85, 10}),
            "recall is higher on the dev rows by 0.0573, with p 0.850 (Williams' test): 10 dev "
            "rows cannot tell which of the two is better, more dev rows can.");
  expect_contains(note(0.1, 0.9, DifferenceTest{kWilliams, std::nullopt, 3}),
                  "with no p (Williams' test): 3 dev rows cannot tell");
  EXPECT_EQ(note(0.6, 0.7, DifferenceTest{AgreementTest::permutation, 0.01, 840}),
            "recall is higher on the dev rows by 0.1000, with p 0.010 (permutation test by "
            "question, 840 dev rows): use that, or train on more judgements.");
  expect_contains(comparison_note(0.6, {"recall", 0.7}, DifferenceTest{kWilliams, 0.3, 10}, true),
                  "10 dev rows cannot tell");
}

TEST(ComparisonNote, ADifferenceThatPrintsAsZeroIsATie) {
  for (const double run : {0.70004, 0.69996}) {
    EXPECT_EQ(note(run, 0.7, DifferenceTest{kWilliams, 0.01, 84}),
              "The model is as good on the dev rows as recall.");
  }
}

TEST(ComparisonNote, SaysWhereTheModelIsNotBetter) {
  EXPECT_EQ(note(0.6, 0.7),  // means over constituents have no test
            "The model is not better on the dev rows than recall. The difference is not tested.");
  expect_contains(note(0.7, 0.7), "not better on the dev rows than recall");
  EXPECT_EQ(comparison_note(0.7, {"start", 0.7}, {}, true), "");  // there is a sentence of its own
  expect_contains(comparison_note(0.6, {"recall", 0.7}, {}, true), "not better");
  expect_contains(note(-0.1, -0.2, DifferenceTest{kWilliams, 0.5, 84}),
                  "All dev scores are negative");
  expect_contains(note(-0.2, -0.1), "All dev scores are negative");
  expect_contains(note(-0.2, 0.1), "not better");
  expect_contains(note(std::nullopt, 0.7), "The dev score is undefined");
  EXPECT_EQ(note(-0.2, std::nullopt), "");
}

struct TestOfADifference : testing::Test {
  TestOfADifference() {
    for (size_t i = 0; i < labels_.size(); ++i) {
      rows_[i].id = std::to_string(i);
      rows_[i].question = "question " + std::to_string(i);
      rows_[i].score = labels_[i];
    }
  }

  const std::vector<double> labels_ = {1, 2, 3, 4, 5, 6}, model_ = {1, 2, 3, 4, 6, 5},
                            baseline_ = {3, 1, 2, 6, 4, 5};
  std::vector<Answer> rows_{labels_.size()};
};

TEST_F(TestOfADifference, IsWilliamsOnRowsWithQuestionsOfTheirOwn) {
  const DifferenceTest test = test_difference(rows_, model_, baseline_);
  EXPECT_EQ(test.test, kWilliams);
  EXPECT_EQ(test.rows, 6u);
  EXPECT_EQ(test.p, stats::williams_test(*stats::pearson(labels_, model_),
                                         *stats::pearson(labels_, baseline_),
                                         *stats::pearson(model_, baseline_), 6)
                        ->p);
}

// Both scores are permutations of 1 to 6, so an exchange is one of the scores themselves. The two
// questions have 4 exchanges. The squared ranks of the baseline differ from the labels' by 12, the
// model's by 2: a difference of 10, which exchanging both keeps. Exchanging one question leaves 2.
TEST_F(TestOfADifference, ExchangesTheRowsOfAQuestionTogether) {
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i].question = i < 3 ? "first" : "second";
  const DifferenceTest test = test_difference(rows_, model_, baseline_);
  EXPECT_EQ(test.test, AgreementTest::permutation);
  EXPECT_EQ(test.p, 0.5);
}

TEST_F(TestOfADifference, HasNoPWithThreeRows) {
  const auto first_three = [](const std::vector<double>& all) {
    return std::vector<double>(all.begin(), all.begin() + 3);
  };
  const auto rows = std::span<const Answer>(rows_).first(3);
  EXPECT_EQ(test_difference(rows, first_three(model_), first_three(baseline_)).p, std::nullopt);
}

}  // namespace
}  // namespace rubric::train
