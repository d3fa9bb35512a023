#include <gtest/gtest.h>

#include "eval/reproduce/report.h"
#include "messages.h"

namespace rubric::eval::reproduce_plots_test {

CellResult result(const Cell& cell, double value) {
  CellResult result;
  result.cell = &cell;
  result.by_seed = {value};
  result.interval = stats::Interval{value - 0.1, value + 0.1};
  return result;
}

TEST(CellPlots, ShowNoPValueAmongTheFigures) {
  Cell f1, p;
  f1.row = "F1";
  f1.where = "x.yaml:1";
  f1.column = p.column = "fid";
  f1.value = "/all/metrics/f1/pearson/value";
  p.row = "p of F1";
  p.where = "x.yaml:2";
  p.value = "/all/tests/0/p_holm";
  p.is_p = true;
  const std::vector<IntervalPlot> plots = cell_plots(std::vector{result(f1, 0.5), result(p, 0.02)});
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].axis, "pearson");
  EXPECT_EQ(plots[0].layout.rows[0].only, std::vector<std::string>{"F1"});
}

}  // namespace rubric::eval::reproduce_plots_test
