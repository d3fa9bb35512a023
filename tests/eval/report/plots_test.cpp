#include "eval/report/plots.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval::report_plots_test {

TEST(IntervalPlot, LeavesOutWhatIsUndefined) {
  const IntervalSeries series[] = {
      {"f1",
       {{"drop", 0.5, stats::Interval{0.4, 0.6}, 12, {3}}, {"quoref", {}, {}}, {"all", 0.25, {}}}}};
  const Plot plot = interval_plot("t", "Pearson's r", series);
  EXPECT_EQ(plot.names, (std::vector<std::string>{"drop", "quoref", "all"}));
  EXPECT_EQ(plot.x_label, "Pearson's r");
  ASSERT_EQ(plot.series.size(), 1u);
  EXPECT_EQ(plot.series[0].name, "");  // alone, it needs no key
  const std::vector<PlotPoint>& points = plot.series[0].points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].x, 0.5);
  EXPECT_EQ(points[0].y, 0);
  EXPECT_EQ(points[0].interval->high, 0.6);
  EXPECT_EQ(points[0].title, "f1, drop: 0.500 [0.400, 0.600], n = 12");
  EXPECT_EQ(points[0].rows, std::vector<uint32_t>{3});
  EXPECT_EQ(points[1].y, 2);
  EXPECT_EQ(points[1].title, "f1, all: 0.250");
}

TEST(IntervalPlot, SeriesShareTheLineOfAName) {
  const IntervalSeries series[] = {{"f1", {{"all", 0.5, {}}}}, {"em", {{"all", 0.4, {}}}}};
  const Plot plot = interval_plot("t", "r", series);
  EXPECT_EQ(plot.series[1].name, "em");
  EXPECT_EQ(plot.series[1].colour, 1u);
  EXPECT_LT(plot.series[0].points[0].y, 0);
  EXPECT_GT(plot.series[1].points[0].y, 0);
}

TEST(LearningCurves, ReadTheLog) {
  const TemporaryFolder folder;
  std::string log;
  for (int step = 1; step <= 400; ++step) {
    log += "{\"event\": \"update\", \"step\": " + std::to_string(step) +
           ", \"loss\": " + std::to_string(step % 2) + "}\n";
  }
  log += R"({"event": "validation", "step": 200, "statistic": "Pearson's r", "value": null}
{"event": "validation", "step": 400, "statistic": "Pearson's r", "value": 0.5}
)";
  const std::vector<Plot> plots = learning_curves(folder.write("log.jsonl", log));
  ASSERT_EQ(plots.size(), 2u);
  expect_contains(plots[0].title, "means of neighbouring updates");
  EXPECT_TRUE(plots[0].starts_at_zero);
  const std::vector<PlotPoint>& losses = plots[0].series.at(0).points;
  ASSERT_EQ(losses.size(), 200u);  // of two updates each
  EXPECT_EQ(losses[1].x, 4);
  EXPECT_EQ(losses[1].y, 0.5);
  EXPECT_EQ(losses[1].title, "update 4: loss 0.5");
  expect_contains(plots[1].title, "Pearson's r");
  const std::vector<PlotPoint>& values = plots[1].series.at(0).points;
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].x, 400);
  EXPECT_EQ(values[0].y, 0.5);
  EXPECT_TRUE(learning_curves(folder.write("empty.jsonl", "")).empty());
}

}  // namespace rubric::eval::report_plots_test
