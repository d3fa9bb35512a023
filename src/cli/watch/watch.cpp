// rubric watch: the curves of training runs in the terminal, while they are made.
#include "cli/watch/watch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/shared/options.h"
#include "cli/watch/text_plot.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/system/terminal.h"
#include "eval/report/table.h"
#include "train/curves/run_log.h"

namespace rubric::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using train::RunCurves;
using train::RunLog;

std::string number_cell(std::optional<double> value) {
  return value ? eval::format_significant(*value) : "–";
}

std::optional<double> last_of(const train::CurvePoints& curve) {
  return curve.empty() ? std::nullopt : std::optional(curve.back().second);
}

std::string updates_cell(const RunCurves& curves) {
  return std::to_string(curves.step) +
         (curves.steps > 0 ? "/" + std::to_string(curves.steps) : std::string());
}

std::string best_cell(const RunCurves& curves) {
  if (!curves.best) return "–";
  return eval::format_significant(curves.best->second) + " (" +
         std::to_string(std::lround(curves.best->first)) + ")";
}

std::vector<std::string> cells_of(const RunLog& log) {
  const RunCurves& curves = log.curves();
  const bool has_updates = curves.step > 0;
  const std::optional<double> left = train::seconds_left(curves), silent = log.seconds_since_last();
  return {log.run().string(),
          updates_cell(curves),
          number_cell(train::recent_loss(curves)),
          number_cell(last_of(curves.dev_losses)),
          curves.metric.empty() ? "–" : curves.metric + " " + number_cell(last_of(curves.values)),
          best_cell(curves),
          has_updates ? eval::format_significant(curves.learning_rate) : "–",
          has_updates ? std::to_string(std::lround(curves.tokens_per_second)) : "–",
          log.is_finished() ? "finished"
          : left            ? duration_text(*left)
                            : "–",
          log.is_finished() || !silent ? "" : duration_text(*silent) + " ago"};
}

eval::Table table_of(std::span<const RunLog> logs) {
  eval::Table table;
  table.header = {"run",       "update", "loss",     "dev loss",  "dev score",
                  "best (at)", "lr",     "tokens/s", "time left", "last event"};
  table.alignment = {eval::Align::left};
  for (const RunLog& log : logs) table.rows.push_back(cells_of(log));
  return table;
}

Json json_of(const RunLog& log) {
  const RunCurves& curves = log.curves();
  Json json;
  json["run"] = log.run().string();
  json["finished"] = log.is_finished();
  json["step"] = curves.step;
  json["steps"] = curves.steps > 0 ? Json(curves.steps) : Json();
  json["loss"] = eval::or_null(train::recent_loss(curves));
  json["dev_loss"] = eval::or_null(last_of(curves.dev_losses));
  json["figure"] = curves.metric.empty() ? Json() : Json(curves.metric);
  json["value"] = eval::or_null(last_of(curves.values));
  json["best"] = Json();
  if (curves.best) {
    json["best"]["step"] = static_cast<int64_t>(curves.best->first);
    json["best"]["value"] = curves.best->second;
  }
  json["lr"] = curves.step > 0 ? Json(curves.learning_rate) : Json();
  json["tokens_per_second"] = curves.step > 0 ? Json(curves.tokens_per_second) : Json();
  json["seconds_left"] = eval::or_null(train::seconds_left(curves));
  json["seconds_since_last"] = eval::or_null(log.seconds_since_last());
  return json;
}

void print_once(std::span<const RunLog> logs, OutputFormat format) {
  if (format != OutputFormat::json) {
    std::cout << eval::print_table(table_of(logs), format);
    return;
  }
  Json::Array runs;
  for (const RunLog& log : logs) runs.push_back(json_of(log));
  std::cout << Json(std::move(runs)).dump(2) << "\n";
}

// The live picture.

using Lines = std::vector<std::string>;

std::string padded(const std::string& text, size_t width) {
  const size_t used = eval::display_width(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

constexpr int kPanels = 3, kLabel = 9, kGap = 2;

// One curve with the ends of its range beside it, below its title.
Lines panel_lines(const std::string& title, const train::CurvePoints& curve, double last,
                  PlotRange range, int width, int height) {
  const Lines plot = plot_lines(curve, last, range, width - kLabel, height);
  Lines lines = {title};
  for (int row = 0; row < height; ++row) {
    const std::string label = row == 0            ? eval::format_significant(range.high)
                              : row == height - 1 ? eval::format_significant(range.low)
                                                  : std::string();
    lines.push_back(padded(label, kLabel) + plot[static_cast<size_t>(row)]);
  }
  return lines;
}

// The curves of each run, on the same axes for all.
Lines curve_lines(std::span<const RunLog> logs, int columns, int height) {
  double last = 0;
  const std::vector<train::CurvePoints RunCurves::*> curves = {
      &RunCurves::losses, &RunCurves::dev_losses, &RunCurves::values};
  PlotRange ranges[kPanels];
  bool are_empty[kPanels] = {true, true, true};
  for (const RunLog& log : logs) {
    last = std::max(last, static_cast<double>(std::max(log.curves().step, log.curves().steps)));
    for (size_t i = 0; i < kPanels; ++i) {
      widen(log.curves().*curves[i], ranges[i], are_empty[i]);
    }
  }
  const int width = std::max(kLabel + 4, (columns - (kPanels - 1) * kGap) / kPanels);
  Lines lines;
  for (const RunLog& log : logs) {
    const RunCurves& run = log.curves();
    lines.push_back("");
    lines.push_back(eval::plain_text(log.run().string()));
    const std::string metric = run.metric.empty() ? "score" : eval::plain_text(run.metric);
    const std::string titles[kPanels] = {"loss", "dev loss", "dev " + metric};
    const size_t first = lines.size();
    lines.resize(first + static_cast<size_t>(height) + 1);
    for (size_t i = 0; i < kPanels; ++i) {
      const Lines panel =
          are_empty[i] ? Lines{titles[i]}
                       : panel_lines(titles[i], run.*curves[i], last, ranges[i], width, height);
      for (size_t row = 0; first + row < lines.size(); ++row) {
        const std::string part = row < panel.size() ? panel[row] : "";
        lines[first + row] += padded(part, static_cast<size_t>(width) + size_t{kGap});
      }
    }
  }
  return lines;
}

Lines split_lines(const std::string& text) {
  Lines lines;
  for (size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

// What fits on a terminal of that size: the table, and below it the curves where there is room.
Lines picture_of(std::span<const RunLog> logs, int columns, int rows) {
  constexpr int kLeast = 2, kMost = 8, kAround = 3;  // lines of a plot, and besides it
  Lines lines = split_lines(eval::print_table(table_of(logs), OutputFormat::text));
  const auto runs = static_cast<int>(logs.size());
  const int free = rows - 1 - static_cast<int>(lines.size());
  const int height = std::min(kMost, free / runs - kAround);
  if (height >= kLeast)
    std::ranges::move(curve_lines(logs, columns, height), std::back_inserter(lines));
  lines.resize(std::min(lines.size(), static_cast<size_t>(std::max(1, rows - 1))));
  return lines;
}

// Draws the picture over the one before, of so many lines; returns how many it has.
size_t draw(const Lines& lines, size_t before) {
  std::string text = "\033[?7l";  // longer lines are cut, not wrapped
  if (before > 0) text += "\033[" + std::to_string(before) + "A";
  for (const std::string& line : lines) text += "\r" + line + "\033[K\n";
  text += "\033[J\033[?7h";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return lines.size();
}

void watch(std::vector<RunLog>& logs) {
  // There is nothing to save.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { _exit(kDone); });
  for (size_t drawn = 0;;) {
    const bool is_over = std::ranges::all_of(logs, &RunLog::is_finished);
    for (RunLog& log : logs) log.update();
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size = {24, 80, 0, 0};
    drawn = draw(picture_of(logs, size.ws_col, size.ws_row), drawn);
    if (is_over) return;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

// The logs of the runs. Of several folders those that are not of runs are passed over: runs/*/ also
// names the token store.
std::vector<RunLog> open_logs(const std::vector<std::string>& folders) {
  const auto is_other_folder = [](const fs::path& folder) {
    std::error_code unreadable;  // RunLog says so
    return fs::is_directory(folder, unreadable) &&
           !fs::exists(folder / "config.yaml", unreadable) && !unreadable;
  };
  const bool passes_over = folders.size() > 1 && !std::ranges::all_of(folders, is_other_folder);
  std::vector<RunLog> logs;
  for (const std::string& folder : folders) {
    if (passes_over && is_other_folder(folder)) {
      log_info("passed over, because it has no config.yaml: " + folder);
    } else {
      logs.emplace_back(folder);
    }
  }
  return logs;
}

}  // namespace

CommandSyntax watch_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric watch RUN… [--once] [--format NAME]\n\n"
      "Shows training runs while they go on: losses, the validation metric, the learning rate,\n"
      "tokens a second and the time that is left. On a terminal it draws their curves, again\n"
      "every second, until all are finished or Ctrl-C ends it; elsewhere, and with --once or\n"
      "another format than text, it prints a table and ends. RUN is the folder of a run, of this\n"
      "machine or of a shared file system; several may include folders that are not runs, such as\n"
      "runs/*/, and these are passed over.";
  syntax.options.add_options()("runs", po::value<std::vector<std::string>>()->value_name("RUN"),
                               "the runs; also without the option's name")(
      "once", "prints the table as it is now, and ends");
  add_format_option(syntax);
  syntax.positional.add("runs", -1);
  syntax.prints_results = true;
  return syntax;
}

int run_watch(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(watch_syntax(), arguments);
  if (!values) return kDone;
  const OutputFormat format = format_option(*values);
  std::vector<RunLog> logs = open_logs(list_option(*values, "runs"));
  if (logs.empty()) {
    throw InputError("no run is named", "rubric watch", "name its folder, such as runs/demo");
  }
  const bool is_live =
      isatty(STDOUT_FILENO) == 1 && !values->contains("once") && format == OutputFormat::text;
  if (is_live) {
    watch(logs);
    return kDone;
  }
  for (RunLog& log : logs) log.update();
  print_once(logs, format);
  return kDone;
}

}  // namespace rubric::cli
