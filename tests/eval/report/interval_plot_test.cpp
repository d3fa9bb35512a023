#include <gtest/gtest.h>

#include "eval/report/plots.h"

namespace rubric::eval {
namespace {

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

}  // namespace
}  // namespace rubric::eval
