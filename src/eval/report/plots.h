// Pictures for reports, drawn by gnuplot where it is installed.
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
  std::string title, description;  // the second for those who cannot see it
  std::string svg;                 // an element to stand in HTML, on a white ground, as wide as its
                                   // place; trusted
};

// What gnuplot is to draw. `commands` hold no text from a file but what plot_text made of it, as
// tab-separated data, and plot_quote: gnuplot executes what stands in backquotes.
struct Plot {
  std::string title, description;
  int height = 300;  // for a width of 420, which is small enough to be read on a phone
  std::string commands;
};

// `text` with typographic quotation marks for ' " and `, and without control characters: nothing in
// it means anything to gnuplot, in data or between single quotes.
std::string plot_text(std::string_view text);
std::string plot_quote(std::string_view text);  // between single quotes

std::string plot_number(double value);  // with eight digits

// The pictures, in order. None where gnuplot is not installed or fails, which a warning says.
std::vector<PlotImage> draw(const std::vector<Plot>& plots);

// Intervals as pictures.

struct IntervalBar {
  std::string name;
  std::optional<double> value;  // nothing: undefined, no bar is drawn
  std::optional<stats::Interval> interval;
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

// How training went, from a run's log.

// The loss over updates and the validation figure over updates, from log.jsonl: a line with
// "event": "update" holds "step" and "loss", one with "validation" holds "step", "figure" (its
// name) and "value" (a number or null). Pictures without a point are left out.
std::vector<Plot> learning_curves(const std::filesystem::path& log);

}  // namespace rubric::eval
