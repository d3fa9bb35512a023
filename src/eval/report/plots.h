// Plots of reports and how they are drawn: intervals, learning curves, and any points on two axes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rubric/result.h"

namespace rubric::eval {

using rubric::Plot;
using rubric::PlotPoint;
using rubric::PlotSeries;
using rubric::PlotStyle;

inline constexpr int kPlotWidth = 420;  // readable on a phone

// For points with rows: which of the rows that the page holds belong to it, by their place there.
using ShownRows = std::unordered_map<const PlotPoint*, std::vector<size_t>>;

// An SVG element for HTML, as wide as its container, in the colours of the page's style. Points
// that are not finite are left out. A point is <g class="point" data-rows="0 7" data-count="123">,
// without the attributes if it has no rows.
std::string draw(const Plot& plot, const ShownRows& shown = {});

// Learning curves.

struct Curve {
  std::string name;                               // in the key; "": not there
  std::vector<std::pair<double, double>> points;  // update and value
};

// The curves over the updates, with a mark at each point. `axis` labels the values.
Plot curve_plot(const std::string& title, const std::string& axis, std::span<const Curve> curves);

// The training loss and the validation metric over updates, from log.jsonl: a line with "event":
// "update" holds "step" and "loss", one with "validation" holds "step", "statistic" (the metric's
// name) and "value" (a number or null). Plots without points are left out.
std::vector<Plot> learning_curves(const std::filesystem::path& log);

// SVG elements as text: what the pictures of a report are made of. Coordinates are pixels in the
// picture's field, y from the top; `style` names classes of the page's style, which holds colours
// and sizes, so that a picture follows light and dark.

std::string svg_number(double value);  // at most two decimals

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style);
std::string svg_rect(double x, double y, double width, double height, std::string_view style);
std::string svg_circle(double x, double y, double radius, std::string_view style);
std::string svg_text(double x, double y, std::string_view text, std::string_view style);  // escaped
std::string svg_title(std::string_view text);  // what a pointer over its parent shows; escaped

}  // namespace rubric::eval
