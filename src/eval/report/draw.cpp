#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/text/utf8.h"
#include "eval/report/html.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::string start_tag(std::string_view name,
                      std::initializer_list<std::pair<const char*, double>> numbers,
                      std::string_view style) {
  std::string tag = "<" + std::string(name);
  for (const auto& [key, value] : numbers) {
    tag += std::string(" ") + key + "=\"" + svg_number(value) + "\"";
  }
  return tag + " class=\"" + std::string(style) + "\"";
}

}  // namespace

std::string svg_number(double value) {
  std::string text = format_fixed(std::isfinite(value) ? value : 0, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style) {
  return start_tag("line", {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}}, style) + "/>";
}

std::string svg_rect(double x, double y, double width, double height, std::string_view style) {
  return start_tag("rect", {{"x", x}, {"y", y}, {"width", width}, {"height", height}}, style) +
         "/>";
}

std::string svg_circle(double x, double y, double radius, std::string_view style) {
  return start_tag("circle", {{"cx", x}, {"cy", y}, {"r", radius}}, style) + "/>";
}

std::string svg_text(double x, double y, std::string_view text, std::string_view style) {
  return start_tag("text", {{"x", x}, {"y", y}}, style) + ">" + escape_html(text) + "</text>";
}

std::string svg_title(std::string_view text) {
  return "<title>" + escape_html(text) + "</title>";
}

namespace {

constexpr double kLine = 18, kTick = 4, kMargin = 10;

// Nearly an upper bound of a text's width on a page, in pixels; fonts differ.
double width_of(std::string_view text) {
  constexpr double kColumn = 6.9, kWider = 2, kWidest = 4;
  double width = kColumn * static_cast<double>(display_width(text));
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') width += kWider;
    if (c == 'm' || c == 'w' || c == 'M' || c == 'W') width += kWidest;
  }
  return width;
}

// The beginning of a text that has at most `columns` columns.
std::string shortened(const std::string& text, size_t columns) {
  if (display_width(text) <= columns) return repair_utf8(text);
  std::string beginning;
  for (size_t i = 0; i < text.size();) {
    std::string longer = beginning;
    append_utf8(decode_utf8(text, i), longer);
    if (display_width(longer) >= columns) break;
    beginning = std::move(longer);
  }
  return beginning + "…";
}

std::string tick_text(double value) {
  return format_significant(value, 6);
}

// Values on an axis and their pixels.
struct PlotAxis {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double from = 0, to = 0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen(double share) {
    if (!(low <= high)) low = 0, high = 1;
    const double room = high > low ? share * (high - low) : std::max(0.5, std::abs(low) * 0.1);
    low -= room;
    high += room;
  }
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }

  // Round values, a ten-power times 1, 2 or 5 apart, at most `most`.
  std::vector<double> ticks(int most) const {
    const double least = (high - low) / most;
    double step = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      if (factor * step < least) continue;
      step *= factor;
      break;
    }
    const double first = std::ceil(low / step);
    std::vector<double> values;
    for (int i = 0; i <= most; ++i) {
      const double value = (first + i) * step + 0.0;  // never -0
      if (value <= high) values.push_back(value);
    }
    return values;
  }
};

bool is_finite(const PlotPoint& point) {
  const bool is_interval_finite = !point.interval || (std::isfinite(point.interval->low) &&
                                                      std::isfinite(point.interval->high));
  return std::isfinite(point.x) && std::isfinite(point.y) && is_interval_finite;
}

std::string class_of(const PlotSeries& series) {
  constexpr size_t kColours = 7;
  return "s" + std::to_string(series.colour % kColours);
}

// A filled shape: a circle, a square, a diamond or a triangle, so that series differ without
// colour.
std::string shape(size_t kind, double x, double y, double radius) {
  if (kind % 4 == 0) return svg_circle(x, y, radius, "mark");
  const auto corners = [&](std::initializer_list<std::pair<double, double>> places) {
    std::string list;
    for (const auto& [right, down] : places) {
      list += (list.empty() ? "" : " ") + svg_number(x + right * radius) + "," +
              svg_number(y + down * radius);
    }
    return "<polygon points=\"" + list + "\" class=\"mark\"/>";
  };
  if (kind % 4 == 1) return corners({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
  if (kind % 4 == 2) return corners({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
  return corners({{0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}});
}

// Draws a plot on two axes.
class Chart {
 public:
  Chart(const Plot& plot, const ShownRows& shown) : plot_(plot), shown_(shown) {
    set_ranges();
    double left = kMargin;
    for (const std::string& label : y_labels()) left = std::max(left, width_of(label) + 12);
    if (!plot.y_label.empty()) left += kLine;
    x_.from = left;
    x_.to = kPlotWidth - kMargin - 2;
    draw_key();
    const double top = kMargin + kLine * static_cast<double>(key_lines_);
    const double bottom = height() - kLine - 6 - (plot.x_label.empty() ? 0 : kLine);
    y_.from = plot.names.empty() ? bottom : top;
    y_.to = plot.names.empty() ? top : bottom;
  }

  double height() const { return plot_.height + kLine * static_cast<double>(key_lines_); }

  std::string elements() {
    draw_axes();
    for (const PlotSeries& series : plot_.series) draw_series(series);
    return key_ + out_;
  }

 private:
  void set_ranges() {
    for (const PlotSeries& series : plot_.series) {
      for (const PlotPoint& point : series.points) {
        if (!is_finite(point)) continue;
        x_.include(point.x);
        y_.include(point.y);
        PlotAxis& axis = plot_.names.empty() ? y_ : x_;
        if (!point.interval) continue;
        axis.include(point.interval->low);
        axis.include(point.interval->high);
      }
    }
    double radius = 0;
    for (const PlotSeries& series : plot_.series) {
      for (const PlotPoint& point : series.points) radius = std::max(radius, point.radius);
    }
    if (plot_.starts_at_zero) (plot_.names.empty() ? y_ : x_).include(0);
    // The share of the axis that leaves the largest mark within a field of so many pixels.
    const auto share = [&](double least, double pixels) {
      return std::max(least, radius / (pixels - 2 * radius));
    };
    x_.widen(share(0.04, kPlotWidth - 120));
    if (!plot_.names.empty()) {
      y_.low = -0.5;
      y_.high = static_cast<double>(plot_.names.size()) - 0.5;
      return;
    }
    const bool is_floor = plot_.starts_at_zero && y_.low == 0;
    y_.widen(share(0.07, plot_.height - 60));
    if (is_floor) y_.low = 0;
  }

  std::vector<double> y_ticks() const { return y_.ticks(std::max(2, plot_.height / 40)); }

  std::vector<std::string> y_labels() const {
    constexpr size_t kLongest = 28;  // "all rows – unseen questions" and one more
    std::vector<std::string> labels;
    for (const std::string& name : plot_.names) labels.push_back(shortened(name, kLongest));
    if (!labels.empty()) return labels;
    for (const double value : y_ticks()) labels.push_back(tick_text(value));
    return labels;
  }

  // The names of the series above the field, in lines.
  void draw_key() {
    constexpr double kMark = 16, kGap = 16;
    double x = kMargin;
    for (const PlotSeries& series : plot_.series) {
      if (series.name.empty()) continue;
      const std::string name = shortened(series.name, 40);
      const double width = kMark + width_of(name);
      if (key_lines_ == 0 || x + width > kPlotWidth) {
        ++key_lines_;
        x = kMargin;
      }
      const double y = kMargin - 4 + kLine * (static_cast<double>(key_lines_) - 0.5);
      key_ += "<g class=\"" + class_of(series) + "\">" + shape(series.colour, x + 5, y, 4) +
              svg_text(x + kMark, y + 4, name, "label") + "</g>";
      x += width + kGap;
    }
  }

  void draw_axes() {
    const double top = std::min(y_.from, y_.to), bottom = std::max(y_.from, y_.to);
    for (const double value : x_.ticks(7)) {
      const double x = x_.at(value);
      out_ += svg_line(x, top, x, bottom, value == 0 ? "zero" : "grid");
      out_ += svg_text(x, bottom + 15, tick_text(value), "tick middle");
    }
    const std::vector<std::string> labels = y_labels();
    const std::vector<double> ticks = plot_.names.empty() ? y_ticks() : std::vector<double>();
    for (size_t i = 0; i < labels.size(); ++i) {
      const double y = y_.at(ticks.empty() ? static_cast<double>(i) : ticks[i]);
      out_ += svg_text(x_.from - 8, y + 4, labels[i], ticks.empty() ? "label end" : "tick end");
      if (!ticks.empty()) out_ += svg_line(x_.from, y, x_.to, y, ticks[i] == 0 ? "zero" : "grid");
      if (!ticks.empty() || i == 0) continue;
      const double between = y_.at(static_cast<double>(i) - 0.5);
      out_ += svg_line(kMargin, between, x_.to, between, "grid");
    }
    out_ += svg_line(x_.from, bottom, x_.to, bottom, "axis");
    const double middle = (x_.from + x_.to) / 2;
    if (!plot_.x_label.empty()) {
      out_ += svg_text(middle, bottom + 15 + kLine, plot_.x_label, "label middle");
    }
    if (plot_.y_label.empty()) return;
    out_ += "<g transform=\"translate(" + svg_number(kMargin + 6) + " " +
            svg_number((top + bottom) / 2) + ") rotate(-90)\">" +
            svg_text(0, 0, plot_.y_label, "label middle") + "</g>";
  }

  void draw_series(const PlotSeries& series) {
    out_ += "<g class=\"" + class_of(series) +
            (series.style == PlotStyle::circles ? " circles" : "") + "\">";
    if (series.style == PlotStyle::line || series.style == PlotStyle::line_and_points) {
      std::string corners;
      for (const PlotPoint& point : series.points) {
        if (!is_finite(point)) continue;
        corners += (corners.empty() ? "" : " ") + svg_number(x_.at(point.x)) + "," +
                   svg_number(y_.at(point.y));
      }
      out_ += "<polyline points=\"" + corners + "\" class=\"line\"/>";
    }
    for (const PlotPoint& point : series.points) {
      if (is_finite(point)) draw_point(series, point);
    }
    out_ += "</g>";
  }

  void draw_point(const PlotSeries& series, const PlotPoint& point) {
    constexpr double kTarget = 7;  // the least radius that a finger finds
    const double x = x_.at(point.x), y = y_.at(point.y);
    out_ += "<g class=\"point\"" + row_attributes(point) + ">" + svg_title(point.title);
    if (point.interval && !plot_.names.empty()) {
      const double low = x_.at(point.interval->low), high = x_.at(point.interval->high);
      out_ += svg_rect(low - kTick, y - kTarget, high - low + 2 * kTick, 2 * kTarget, "target") +
              svg_line(low, y, high, y, "interval");
    } else if (point.interval) {
      const double low = y_.at(point.interval->low), high = y_.at(point.interval->high);
      out_ += svg_rect(x - kTarget, high - kTick, 2 * kTarget, low - high + 2 * kTick, "target") +
              svg_line(x, low, x, high, "interval");
    } else {
      out_ += svg_circle(x, y, std::max(kTarget, point.radius), "target");
    }
    if (series.style != PlotStyle::line) out_ += shape(series.colour, x, y, point.radius);
    out_ += "</g>";
  }

  std::string row_attributes(const PlotPoint& point) const {
    if (point.rows.empty()) return "";
    std::string places;
    const auto found = shown_.find(&point);
    if (found != shown_.end()) {
      for (const size_t place : found->second) {
        places += (places.empty() ? "" : " ") + std::to_string(place);
      }
    }
    return " data-rows=\"" + places + "\" data-count=\"" + std::to_string(point.rows.size()) + "\"";
  }

  const Plot& plot_;
  const ShownRows& shown_;
  PlotAxis x_, y_;
  size_t key_lines_ = 0;
  std::string key_, out_;
};

}  // namespace

std::string draw(const Plot& plot, const ShownRows& shown) {
  std::string elements = plot.drawing;
  double height = plot.height;
  if (elements.empty()) {
    Chart chart(plot, shown);
    elements = chart.elements();
    height = chart.height();
  }
  return "<svg role=\"group\" aria-label=\"" + escape_html(plot.title + ". " + plot.description) +
         "\" viewBox=\"0 0 " + std::to_string(kPlotWidth) + " " + svg_number(height) + "\">" +
         elements + "</svg>";
}

}  // namespace rubric::eval
