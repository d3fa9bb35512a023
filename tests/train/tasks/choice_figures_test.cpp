#include <cmath>

#include <gtest/gtest.h>

#include "train/tasks/choice_task.h"

namespace rubric::train::choice_figures_test {

LogProbabilities logs(double first, double second, double both) {
  return {std::log(first), std::log(second), std::log(both)};
}

// Two questions of one correct and two incorrect answers, and one with two correct ones.
struct Figures : testing::Test {
  Figures() {
    split_.questions = {{"0", "a", "", "", {"r"}, {"x", "y"}},
                        {"1", "a", "", "", {"r"}, {"x", "y"}},
                        {"2", "b", "", "", {"r", "s"}, {"x"}}};
    split_.pairs = {{0, 0, 1}, {0, 0, 2}, {1, 0, 1}, {1, 0, 2}, {2, 0, 1}, {2, 0, 2}, {2, 1, 2}};
  }

  ChoiceSplit split_;
  const std::vector<ChoiceLabel> labels_ = {
      ChoiceLabel::first, ChoiceLabel::second, ChoiceLabel::first, ChoiceLabel::second,
      ChoiceLabel::both,  ChoiceLabel::second, ChoiceLabel::second};
  const std::vector<LogProbabilities> predicted_ = {
      logs(0.6, 0.3, 0.1), logs(0.2, 0.3, 0.5),    // question 0: the second pair is wrong, not
                                                   // which of its answers is better
      logs(0.8, 0.1, 0.1), logs(0.5, 0.25, 0.25),  // question 1: wrong
      logs(0.1, 0.8, 0.1),                         // both: wrong, and of no matter to question 2
      logs(0.1, 0.8, 0.1), logs(0.25, 0.5, 0.25)};
};

TEST_F(Figures, OverAllPairs) {
  const ChoiceMetrics figures = choice_metrics(split_, labels_, predicted_);
  EXPECT_EQ(figures.pairs, 7);
  EXPECT_EQ(figures.questions, 3);
  EXPECT_DOUBLE_EQ(figures.accuracy, 4.0 / 7);  // pairs 0, 2, 5, 6
  EXPECT_DOUBLE_EQ(figures.majority, 4.0 / 7);  // second
  EXPECT_NEAR(figures.loss, -std::log(0.6 * 0.3 * 0.8 * 0.25 * 0.1 * 0.8 * 0.5) / 7, 1e-12);
  EXPECT_DOUBLE_EQ(figures.question_accuracy, 2.0 / 3);
}

TEST_F(Figures, OverThePairsOfOneSource) {
  const ChoiceMetrics figures = choice_metrics(split_, labels_, predicted_, "a");
  EXPECT_EQ(figures.pairs, 4);
  EXPECT_EQ(figures.questions, 2);
  EXPECT_DOUBLE_EQ(figures.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(figures.majority, 0.5);
  EXPECT_DOUBLE_EQ(figures.question_accuracy, 0.5);
  EXPECT_EQ(to_json(figures).require_integer("pairs", ""), 4);
}

}  // namespace rubric::train::choice_figures_test
