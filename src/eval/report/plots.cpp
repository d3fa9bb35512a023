#include "eval/report/plots.h"

#include <algorithm>
#include <utility>

#include "core/json/json.h"
#include "eval/report/table.h"
#include "eval/result/training.h"

namespace rubric::eval {
namespace {

using Points = std::vector<std::pair<double, double>>;  // step, value

struct LoggedCurves {
  Points losses, values;
  std::string metric;
};

LoggedCurves read_log(const std::filesystem::path& log) {
  LoggedCurves curves;
  visit_log(log, [&](const Json& event, const std::string& kind, const std::string& where) {
    if (kind == "update") {
      curves.losses.emplace_back(event.require_number("step", where),
                                 event.require_number("loss", where));
    } else if (kind == "validation") {
      curves.metric = event.require_string("statistic", where);
      if (event.require("value", where).is_null()) return;
      curves.values.emplace_back(event.require_number("step", where),
                                 event.require_number("value", where));
    }
  });
  return curves;
}

// At most `most` points, each the mean of equally many consecutive ones.
Points thinned(const Points& points, size_t most) {
  const size_t run = std::max<size_t>(1, (points.size() + most - 1) / most);
  Points thin;
  for (size_t start = 0; start < points.size(); start += run) {
    const size_t end = std::min(start + run, points.size());
    double sum = 0;
    for (size_t i = start; i < end; ++i) sum += points[i].second;
    thin.emplace_back(points[end - 1].first, sum / static_cast<double>(end - start));
  }
  return thin;
}

}  // namespace

Plot curve_plot(const std::string& title, const std::string& axis, std::span<const Curve> curves) {
  constexpr double kRadius = 3;
  Plot plot;
  plot.title = title;
  plot.description = "Lines over the updates.";
  plot.height = 260;
  plot.x_label = "update";
  plot.y_label = axis;
  for (const Curve& curve : curves) {
    PlotSeries series{curve.name, {}, PlotStyle::line_and_points, plot.series.size()};
    for (const auto& [step, value] : curve.points) {
      std::string point_title = "update " + format_fixed(step, 0) + ": " + curve.name +
                                (curve.name.empty() ? "" : " ") + axis + " " +
                                format_significant(value);
      series.points.push_back({step, value, {}, kRadius, std::move(point_title)});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::vector<Plot> learning_curves(const std::filesystem::path& log) {
  constexpr size_t kMostPoints = 200;
  const LoggedCurves logged = read_log(log);
  std::vector<Plot> plots;
  if (!logged.losses.empty()) {
    const Points losses = thinned(logged.losses, kMostPoints);
    const bool is_mean = losses.size() < logged.losses.size();
    const Curve curve{"", losses};
    Plot plot =
        curve_plot(is_mean ? "Training loss, means of neighbouring updates" : "Training loss",
                   "loss", {&curve, 1});
    plot.starts_at_zero = true;
    plot.series.front().style = PlotStyle::line;
    plots.push_back(std::move(plot));
  }
  if (!logged.values.empty()) {
    const Curve curve{"", logged.values};
    Plot plot = curve_plot("Validation: " + logged.metric, logged.metric, {&curve, 1});
    plot.series.front().colour = 1;
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace rubric::eval
