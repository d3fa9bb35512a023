#include "eval/report/plots.h"

#include <gtest/gtest.h>

#include "eval/result/render.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval::report_plots_test {

// A line for each group, a series for each metric.
Plot plot_of(const std::vector<Measurement>& measurements) {
  const Result result{.measurements = measurements};
  const IntervalPlot plot{{.title = "t",
                           .rows = {{"group", &Keys::group, "all"}},
                           .columns = {{.statistics = {"r"}, .across = &Keys::metric}}},
                          "Pearson's r",
                          [](const Keys&) { return std::vector<uint32_t>{3}; }};
  return interval_plot(result, plot);
}

TEST(IntervalPlot, LeavesOutWhatIsUndefined) {
  const Plot plot = plot_of({{.keys = {.metric = "f1", .group = "drop"},
                              .statistic = "r",
                              .value = 0.5,
                              .interval = Interval{0.4, 0.6},
                              .n = 12},
                             {.keys = {.metric = "f1", .group = "quoref"}, .statistic = "r"},
                             {.keys = {.metric = "f1"}, .statistic = "r", .value = 0.25}});
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
  const Plot plot = plot_of({{.keys = {.metric = "f1"}, .statistic = "r", .value = 0.5},
                             {.keys = {.metric = "em"}, .statistic = "r", .value = 0.4}});
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
