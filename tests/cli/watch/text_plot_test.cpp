#include "cli/watch/text_plot.h"

#include <gtest/gtest.h>

namespace rubric::cli {
namespace {

using Lines = std::vector<std::string>;

TEST(TextPlot, ALineFromCornerToCornerIsTheDotsOfTheDiagonal) {
  // 4 by 4 dots: the last of each column is at the bottom.
  EXPECT_EQ(plot_lines({{0, 0}, {3, 3}}, 3, {0, 3}, 2, 1), Lines{"⡠⠊"});
  EXPECT_EQ(plot_lines({{0, 3}, {3, 0}}, 3, {0, 3}, 2, 1), Lines{"⠑⢄"});
  EXPECT_EQ(plot_lines({{0, 0}, {7, 7}}, 7, {0, 7}, 4, 2), (Lines{"⠀⠀⡠⠊", "⡠⠊⠀⠀"}));
}

TEST(TextPlot, AColumnShowsTheMeanOfItsPoints) {
  EXPECT_EQ(plot_lines({{0, 0}, {0, 6}}, 1, {0, 6}, 1, 1), plot_lines({{0, 3}}, 1, {0, 6}, 1, 1));
}

TEST(TextPlot, WhatIsToComeIsEmptyAndAFlatCurveIsInTheMiddle) {
  EXPECT_EQ(plot_lines({}, 10, {0, 1}, 3, 1), Lines{"⠀⠀⠀"});
  EXPECT_EQ(plot_lines({{0, 5}, {5, 5}}, 11, {5, 5}, 6, 1), Lines{"⠒⠒⠒⠀⠀⠀"});
  EXPECT_EQ(plot_lines({{0, 5}}, 0, {5, 5}, 1, 1), Lines{"⠂"});
}

TEST(TextPlot, ARangeHoldsAllCurves) {
  PlotRange range;
  bool is_empty = true;
  widen({}, range, is_empty);
  EXPECT_TRUE(is_empty);
  widen({{1, -2}, {2, 3}}, range, is_empty);
  widen({{1, 5}}, range, is_empty);
  EXPECT_FALSE(is_empty);
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 5);
}

}  // namespace
}  // namespace rubric::cli
