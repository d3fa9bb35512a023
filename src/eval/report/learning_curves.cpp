#include <algorithm>
#include <utility>

#include "core/files/files.h"
#include "core/json/json.h"
#include "eval/report/plots.h"

namespace rubric::eval {
namespace {

using Points = std::vector<std::pair<double, double>>;  // step, value

struct Curves {
  Points losses, figures;
  std::string figure;
};

Curves read_log(const std::filesystem::path& log) {
  Curves curves;
  LineReader lines(log);
  for (std::string line; lines.next(line);) {
    const std::string where = lines.where();
    const Json event = Json::parse(line, where);
    const std::string& kind = event.require_string("event", where);
    if (kind == "update") {
      curves.losses.emplace_back(event.require_number("step", where),
                                 event.require_number("loss", where));
    } else if (kind == "validation") {
      curves.figure = event.require_string("figure", where);
      if (event.require("value", where).is_null()) continue;
      curves.figures.emplace_back(event.require_number("step", where),
                                  event.require_number("value", where));
    }
  }
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

std::string points_data(const Points& points) {
  std::string data = "$points << EOD\n";
  for (const auto& [step, value] : points) {
    data += plot_number(step) + "\t" + plot_number(value) + "\n";
  }
  return data + "EOD\n";
}

Plot curve(const std::string& title, const std::string& what, const Points& points,
           const std::string& commands) {
  return {title, "A line over the updates.", 280,
          points_data(points) + "set xlabel 'update'\nset ylabel " + plot_quote(what) +
              "\nset xtics format '%g'\n" + commands + " notitle\n"};
}

}  // namespace

std::vector<Plot> learning_curves(const std::filesystem::path& log) {
  constexpr size_t kMostPoints = 200;
  const Curves curves = read_log(log);
  std::vector<Plot> plots;
  if (!curves.losses.empty()) {
    const Points losses = thinned(curves.losses, kMostPoints);
    const bool is_mean = losses.size() < curves.losses.size();
    plots.push_back(
        curve(is_mean ? "Training loss, means of neighbouring updates" : "Training loss", "loss",
              losses, "set yrange [0:*]\nplot $points using 1:2 with lines lw 2 lc rgb '#0072b2'"));
  }
  if (!curves.figures.empty()) {
    plots.push_back(curve("Validation: " + curves.figure, curves.figure, curves.figures,
                          "set offsets 0, 0, graph 0.05, graph 0.05\nplot $points using 1:2 with "
                          "linespoints pt 7 ps 0.6 lw 2 lc rgb '#d55e00'"));
  }
  return plots;
}

}  // namespace rubric::eval
