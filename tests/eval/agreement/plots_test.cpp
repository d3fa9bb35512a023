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
  // Equal scores stay together; the other six are a tenth (five at least) and what is left.
  const std::vector<PlotPoint>& means = plots[1].series.at(1).points;
  ASSERT_EQ(means.size(), 3u);
  EXPECT_EQ(means[0].x, 0);
  EXPECT_EQ(means[0].y, 1);
  EXPECT_EQ(means[0].rows.size(), 6u);
  EXPECT_EQ(means[1].x, 3);
  EXPECT_EQ(means[1].y, 2);
  EXPECT_EQ(means[2].x, 6);
  EXPECT_EQ(means[2].y, 1);
  EXPECT_EQ(means[2].title, "f1 6: mean label 1.000 [1.000, 1.000], 1 row");
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
