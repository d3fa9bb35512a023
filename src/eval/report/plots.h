// Pictures for reports, drawn by gnuplot where it is installed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

struct Picture {
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
std::vector<Picture> draw(const std::vector<Plot>& plots);

}  // namespace rubric
