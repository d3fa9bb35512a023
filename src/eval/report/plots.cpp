
#include "eval/report/plots.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/utf8.h"
#include "eval/report/report.h"

namespace rubric::eval {

namespace {

constexpr int kWidth = 420;

bool is_gnuplot_there(const TemporaryDirectory& folder) {
  try {
    return run_process({"gnuplot", "--version"},
                       {"/dev/null", folder.file("version"), folder.file("errors")}) == 0;
  } catch (const Error&) {
    return false;
  }
}

std::string script_of(const Plot& plot) {
  return "set encoding utf8\n"
         "set terminal svg size " +
         std::to_string(kWidth) + "," + std::to_string(plot.height) +
         " noenhanced font 'sans-serif,13' background rgb 'white'\n"
         "set datafile separator '\\t'\n"
         "set border lc rgb '#57606a'\nset grid lc rgb '#d0d7de'\n" +
         plot.commands;
}

// Turns gnuplot's SVG document into an HTML element: sized by its container, with our title and
// description, and without the XML namespaces that HTML does not need.
std::string as_element(const std::string& document, const Plot& plot) {
  const size_t body = document.find("<g id=\"gnuplot_canvas\">");
  const size_t end = document.rfind("</svg>");
  if (body == std::string::npos || end == std::string::npos) return "";
  std::string element = "<svg role=\"img\" viewBox=\"0 0 " + std::to_string(kWidth) + " " +
                        std::to_string(plot.height) + "\"><title>" + escape_html(plot.title) +
                        "</title><desc>" + escape_html(plot.description) + "</desc>" +
                        document.substr(body, end - body) + "</svg>";
  for (size_t at = 0; (at = element.find("xlink:href", at)) != std::string::npos;) {
    element.erase(at, std::string_view("xlink:").size());
  }
  return element;
}

std::string draw_svg(const Plot& plot, const TemporaryDirectory& folder) {
  write_file(folder.file("plot"), script_of(plot));
  const int status = run_process({"gnuplot", "-d", folder.file("plot").string()},
                                 {"/dev/null", folder.file("svg"), folder.file("errors")});
  std::string element = status == 0 ? as_element(read_file(folder.file("svg")), plot) : "";
  if (element.empty()) {
    log_warning("gnuplot could not draw \"" + plot.title +
                "\": " + read_file(folder.file("errors")));
  }
  return element;
}

// Okabe and Ito's colours, which colour-blind readers can distinguish, without yellow, which is
// invisible on white.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#56b4e9", "#e69f00", "#000000"};

// Value, low, high, position on the axis and name of each bar that has a value, one a line.
std::string series_data(const IntervalSeries& series, double offset) {
  std::string data;
  for (size_t i = 0; i < series.bars.size(); ++i) {
    const IntervalBar& bar = series.bars[i];
    if (!bar.value) continue;
    const stats::Interval interval = bar.interval.value_or(stats::Interval{*bar.value, *bar.value});
    data += plot_number(*bar.value) + "\t" + plot_number(interval.low) + "\t" +
            plot_number(interval.high) + "\t" + plot_number(static_cast<double>(i) + offset) + "\n";
  }
  return data;
}

// The names beside the axis, as data: see Plot.
std::string names_of(std::span<const IntervalBar> bars) {
  constexpr size_t kLongest = 22;
  std::string data;
  for (size_t i = 0; i < bars.size(); ++i) {
    std::string name = plot_text(bars[i].name);
    if (name.size() > kLongest) name = plot_text(name.substr(0, kLongest - 3)) + "…";
    data += plot_number(static_cast<double>(i)) + "\t" + name + "\n";
  }
  return data;
}

}  // namespace

std::string plot_text(std::string_view text) {
  std::string plain;
  for (const char c : repair_utf8(text)) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (c == '\'' || c == '`') {
      plain += "’";
    } else if (c == '"') {
      plain += "”";
    } else {
      plain += is_control ? ' ' : c == '\\' ? '/' : c;
    }
  }
  return plain;
}

std::string plot_quote(std::string_view text) {
  return "'" + plot_text(text) + "'";
}

std::string plot_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.8g", value);
  return text;
}

std::vector<PlotImage> draw(const std::vector<Plot>& plots) {
  std::vector<PlotImage> pictures;
  if (plots.empty()) return pictures;
  try {
    const TemporaryDirectory folder;
    if (!is_gnuplot_there(folder)) {
      throw Error("gnuplot is not installed", "", "apt-get install gnuplot-nox");
    }
    for (const Plot& plot : plots) {
      std::string svg = draw_svg(plot, folder);
      if (!svg.empty()) pictures.push_back({plot.title, plot.description, std::move(svg)});
    }
  } catch (const Error& error) {  // the report is still useful without its plots
    log_warning(std::string("the report has no pictures: ") + error.what());
  }
  return pictures;
}

Plot interval_plot(const std::string& title, const std::string& axis,
                   std::span<const IntervalSeries> series) {
  const size_t names = series.front().bars.size();
  Plot plot;
  plot.title = title;
  plot.description = "Points with 95% intervals; the table above holds the same figures.";
  const size_t lines = names * std::max<size_t>(series.size(), 2);
  const size_t keys = series.size() > 1 ? (series.size() + 2) / 3 : 0;
  plot.height = static_cast<int>(90 + 14 * lines + 20 * keys);
  std::string& commands = plot.commands;
  for (size_t s = 0; s < series.size(); ++s) {
    const double offset = (static_cast<double>(s) + 0.5) / static_cast<double>(series.size()) - 0.5;
    commands +=
        "$bars" + std::to_string(s) + " << EOD\n" + series_data(series[s], 0.8 * offset) + "EOD\n";
  }
  commands += "$names << EOD\n" + names_of(series.front().bars) + "EOD\n";
  commands += "set yrange [" + std::to_string(names) +
              "-0.4:-0.6]\nset ytics scale 0\n"
              "set xlabel " +
              plot_quote(axis) +
              "\nset xtics format '%g'\n"
              "set key above maxcols 3 samplen 1\n"
              "plot $names using (NaN):1:ytic(2) with points notitle";
  for (size_t s = 0; s < series.size(); ++s) {
    const std::string colour = kColours[s % std::size(kColours)];
    commands += ", $bars" + std::to_string(s) + " using 1:4:2:3 with xerrorbars pt 7 ps 0.6 lw 2 " +
                "lc rgb '" + colour + "' " +
                (series.size() > 1 ? "title " + plot_quote(series[s].name) : "notitle");
  }
  commands += "\n";
  return plot;
}

}  // namespace rubric::eval
