#include "eval/report/interval_plot.h"

#include <algorithm>

namespace rubric {
namespace {

// Okabe and Ito's colours, told apart by the colour-blind, without the yellow that white swallows.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#56b4e9", "#e69f00", "#000000"};

// Value, low, high, place on the axis and name of each bar that has a value, one a line.
std::string data_of(const IntervalSeries& series, double offset) {
  std::string data;
  for (size_t i = 0; i < series.bars.size(); ++i) {
    const IntervalBar& bar = series.bars[i];
    if (!bar.value) continue;
    const Interval interval = bar.interval.value_or(Interval{*bar.value, *bar.value});
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
        "$bars" + std::to_string(s) + " << EOD\n" + data_of(series[s], 0.8 * offset) + "EOD\n";
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

}  // namespace rubric
