// Plots for reports, drawn by gnuplot where it is installed: their text, intervals and learning
// curves.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/bootstrap.h"

namespace rubric::eval {

struct PlotImage {
  std::string title, description;  // the description is the alternative text
  std::string svg;  // an HTML element on a white ground, as wide as its container; trusted
};

// A plot for gnuplot. Text from files may enter `commands` only through plot_text, as tab-separated
// data, and plot_quote: gnuplot executes text in backquotes.
struct Plot {
  std::string title, description;
  int height = 300;  // for a width of 420, which is readable on a phone
  std::string commands;
};

// Replaces ' " and ` in `text` by typographic quotation marks and removes control characters, so
// that nothing in it is special to gnuplot, in data or between single quotes.
std::string plot_text(std::string_view text);
std::string plot_quote(std::string_view text);  // between single quotes

std::string plot_number(double value);  // with eight digits

// Draws the plots, in order. Empty, with a warning, when gnuplot is not installed or fails.
std::vector<PlotImage> draw(const std::vector<Plot>& plots);

// Interval plots.

struct IntervalBar {
  std::string name;
  std::optional<double> value;  // nothing: undefined, no bar
  std::optional<stats::Interval> interval;
};

// The bars of one series (such as a metric), one for each name.
struct IntervalSeries {
  std::string name;
  std::vector<IntervalBar> bars;  // the same names in the same order in every series
};

// A line for each name, the first on top, with a bar of each series in its colour. `axis` labels
// the values.
Plot interval_plot(const std::string& title, const std::string& axis,
                   std::span<const IntervalSeries> series);

// Learning curves.

// The training loss and the validation metric over updates, from log.jsonl: a line with "event":
// "update" holds "step" and "loss", one with "validation" holds "step", "figure" (the metric's
// name) and "value" (a number or null). Plots without points are left out.
std::vector<Plot> learning_curves(const std::filesystem::path& log);

}  // namespace rubric::eval
