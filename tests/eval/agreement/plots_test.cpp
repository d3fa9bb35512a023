#include <gtest/gtest.h>

#include "eval/agreement/agreement.h"
#include "eval/result/render.h"
#include "messages.h"

namespace rubric::eval::agreement_plots_test {

// Twelve rows, half of them at one place; one metric is constant.
data::ScoredRows example() {
  data::ScoredRows rows;
  rows.metrics = {"constant", "f1"};
  rows.rows.resize(12, Json(Json::Object()));
  rows.scores.resize(2);
  for (int i = 0; i < 12; ++i) {
    rows.ids.push_back(std::to_string(i));
    rows.human.push_back(i < 6 ? 1 : i % 5);
    rows.scores[0].push_back(2);
    rows.scores[1].push_back(i < 6 ? 0 : i - 5);
  }
  return rows;
}

Report report_of(const data::ScoredRows& rows) {
  const Agreement agreement = evaluate_agreement(rows, {.bootstrap = {.resamples = 50}});
  return result_report(
      agreement_result(agreement, std::make_shared<const data::ScoredRows>(rows), false), "");
}

TEST(AgreementPlots, ShowWhatHasACorrelation) {
  const std::vector<Plot> plots = report_of(example()).plots;
  ASSERT_EQ(plots.size(), 2u);  // the intervals, and f1's rows
  ASSERT_EQ(plots[0].series.size(), 1u);
  EXPECT_EQ(plots[0].series[0].points[0].rows.size(), 12u);
  expect_contains(plots[1].title, "f1 against human labels");
  // The six rows that lie together have the largest circle.
  const std::vector<PlotPoint>& circles = plots[1].series.at(0).points;
  EXPECT_EQ(circles[0].x, 0);
  EXPECT_EQ(circles[0].y, 1);
  EXPECT_EQ(circles[0].radius, 12);
  EXPECT_EQ(circles[0].title, "f1 0, label 1: 6 rows");
  EXPECT_EQ(circles[0].rows, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
  // Equal scores stay together. A tenth has five rows at least, and one more would be alone.
  const std::vector<PlotPoint>& means = plots[1].series.at(1).points;
  ASSERT_EQ(means.size(), 2u);
  EXPECT_EQ(means[0].x, 0);
  EXPECT_EQ(means[0].y, 1);
  EXPECT_EQ(means[0].rows.size(), 6u);
  EXPECT_EQ(means[0].title, "f1 0: mean label 1.000 [1.000, 1.000], 6 rows");
  EXPECT_EQ(means[1].x, 3.5);
  EXPECT_DOUBLE_EQ(means[1].y, 11. / 6);
  EXPECT_EQ(means[1].rows.size(), 6u);
}

// Student's t of two labels reached from -15.6 to 22.6, and of five it may leave the scale, too.
TEST(AgreementPlots, IntervalsOfMeanLabelsStayInTheRangeOfTheLabels) {
  data::ScoredRows rows = example();
  rows.human = {1, 1, 5, 1, 5, 1, 5, 5, 5, 1, 5, 5};
  const std::vector<Plot> plots = report_of(rows).plots;
  const std::vector<PlotPoint>& means = plots[1].series.at(1).points;
  ASSERT_EQ(means.size(), 2u);
  for (const PlotPoint& mean : means) {
    ASSERT_TRUE(mean.interval);
    EXPECT_GE(mean.interval->low, 1);
    EXPECT_LE(mean.interval->high, 5);
  }
  EXPECT_EQ(means[0].interval->low, 1);   // t would go on to 0.17
  EXPECT_EQ(means[1].interval->high, 5);  // to 6.05
  expect_contains(means[1].title, ", 5.000], 6 rows");
}

TEST(AgreementPlots, MeanLabelsOfFewRowsHaveNoInterval) {
  data::ScoredRows rows = example();
  rows.rows.resize(4);
  rows.ids.resize(4);
  rows.human = {1, 3, 2, 5};
  rows.scores = {{2, 2, 2, 2}, {1, 2, 3, 4}};
  const std::vector<PlotPoint> means = report_of(rows).plots.at(1).series.at(1).points;
  ASSERT_EQ(means.size(), 1u);
  EXPECT_FALSE(means[0].interval);
  EXPECT_EQ(means[0].title, "f1 1 to 4: mean label 2.750, 4 rows");
}

TEST(AgreementPlots, RowsHaveTheirTextsLabelAndScores) {
  data::ScoredRows rows = example();
  rows.rows[0] = Json::parse(
      R"({"id": "x", "question": "q", "reference": ["a", "b"], "candidate": "c", "score": 5,
          "n": "12", "passage": "long", "scores": {"f1": 0}})",
      "row");
  const Result result = agreement_result(evaluate_agreement(rows, {.bootstrap = {.resamples = 2}}),
                                         std::make_shared<const data::ScoredRows>(rows), false);
  const ReportRows shown = result_report(result, "").rows;
  EXPECT_EQ(shown.header, (std::vector<std::string>{"id", "question", "reference", "candidate",
                                                    "human label", "constant", "f1"}));
  EXPECT_EQ(shown.cells(0),
            (std::vector<std::string>{"0", "q", "a / b", "c", "1", "2.000", "0.000"}));
  EXPECT_EQ(shown.cells(11), (std::vector<std::string>{"11", "", "", "", "1", "2.000", "6.000"}));
}

}  // namespace rubric::eval::agreement_plots_test
