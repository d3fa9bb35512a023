#include <algorithm>
#include <utility>

#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string bar_title(const std::string& series, const IntervalBar& bar) {
  std::string title = series + (series.empty() || bar.name.empty() ? "" : ", ") + bar.name;
  title += (title.empty() ? "" : ": ") + cell(bar.value, bar.interval);
  return bar.n > 0 ? title + ", n = " + std::to_string(bar.n) : title;
}

}  // namespace

Plot interval_plot(const std::string& title, const std::string& axis,
                   std::span<const IntervalSeries> series) {
  constexpr int kAxis = 60, kName = 12, kBar = 14;  // pixels
  const size_t count = series.size();
  Plot plot;
  plot.title = title;
  plot.description = "Points with 95% intervals; the table above holds the same values.";
  plot.x_label = axis;
  for (const IntervalBar& bar : series.front().bars) plot.names.push_back(bar.name);
  plot.height =
      kAxis + static_cast<int>(plot.names.size()) * (kName + kBar * static_cast<int>(count));
  for (size_t s = 0; s < count; ++s) {
    const double offset = (static_cast<double>(s) + 0.5) / static_cast<double>(count) - 0.5;
    PlotSeries drawn{count > 1 ? series[s].name : "", {}, PlotStyle::points, s};
    for (size_t i = 0; i < series[s].bars.size(); ++i) {
      const IntervalBar& bar = series[s].bars[i];
      if (!bar.value) continue;
      PlotPoint point{*bar.value, static_cast<double>(i) + 0.8 * offset, bar.interval};
      point.title = bar_title(series[s].name, bar);
      point.rows = bar.rows;
      drawn.points.push_back(std::move(point));
    }
    plot.series.push_back(std::move(drawn));
  }
  return plot;
}

}  // namespace rubric::eval
