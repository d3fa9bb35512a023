#include "eval/report/plots.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::eval {
namespace {

TEST(IntervalPlot, LeavesOutWhatIsUndefined) {
  const IntervalSeries series[] = {
      {"f1", {{"drop", 0.5, stats::Interval{0.4, 0.6}}, {"quoref", {}, {}}, {"all", 0.25, {}}}}};
  const Plot plot = interval_plot("t", "Pearson's r", series);
  expect_contains(plot.commands, "$bars0 << EOD\n0.5\t0.4\t0.6\t0\n0.25\t0.25\t0.25\t2\nEOD\n");
  expect_contains(plot.commands, "0\tdrop\n1\tquoref\n2\tall\n");
  expect_contains(plot.commands, "set xlabel 'Pearson’s r'");
}

}  // namespace
}  // namespace rubric::eval
