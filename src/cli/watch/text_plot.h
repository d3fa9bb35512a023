// Curves drawn with characters, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "train/curves/run_log.h"

namespace rubric::cli {

struct PlotRange {
  double low = 0, high = 0;
};

// Widens the range to hold the values of the curve; `is_empty` says whether it is still empty.
void widen(const train::CurvePoints& curve, PlotRange& range, bool& is_empty);

// The curve from update 0 to `last` as `height` lines of `width` characters, its values from
// range.low at the bottom to range.high at the top. A character is a Braille pattern: 2 by 4 dots.
// A column of dots shows the mean of its points; columns between points are joined by a line.
std::vector<std::string> plot_lines(const train::CurvePoints& curve, double last, PlotRange range,
                                    int width, int height);

}  // namespace rubric::cli
