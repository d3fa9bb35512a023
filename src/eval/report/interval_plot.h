// Intervals as pictures.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/report/plots.h"
#include "stats/bootstrap_part.h"

namespace rubric {

struct IntervalBar {
  std::string name;
  std::optional<double> value;  // nothing: undefined, no bar is drawn
  std::optional<Interval> interval;
};

// Bars of one name for each of several metrics.
struct IntervalSeries {
  std::string name;
  std::vector<IntervalBar> bars;  // of every series the same names in the same order
};

// A line for each name, first on top, with a bar of each series in its colour. `axis` says what the
// values are.
Plot interval_plot(const std::string& title, const std::string& axis,
                   std::span<const IntervalSeries> series);

}  // namespace rubric
