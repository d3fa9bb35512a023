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

// What gnuplot is to draw. `commands` hold no text from a file but as data, quoted by plot_text, or
// between single quotes by plot_quote: gnuplot executes what stands in backquotes elsewhere.
struct Plot {
  std::string title, description;
  int height = 300;  // for a width of 420, which is small enough to be read on a phone
  std::string commands;
};

// `text` as a string of gnuplot's commands.
std::string plot_quote(std::string_view text);

// `text` as a field of tab-separated data.
std::string plot_text(std::string_view text);

// The pictures, in order. None where gnuplot is not installed or fails, which a warning says.
std::vector<Picture> draw(const std::vector<Plot>& plots);

}  // namespace rubric
