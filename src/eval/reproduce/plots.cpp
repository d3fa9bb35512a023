#include "eval/report/plots.h"

#include <algorithm>
#include <utility>

#include "eval/reproduce/report.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

using Cells = std::span<const CellResult>;

// The cells of each row of the file, which are adjacent.
std::vector<Cells> rows_of(Cells cells) {
  std::vector<Cells> rows;
  for (size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].cell->where == cells[begin].cell->where) ++end;
    rows.push_back(cells.subspan(begin, end - begin));
  }
  return rows;
}

bool is_drawn(const CellResult& result) {
  return result.interval && !result.cell->is_p;
}

// The name of the value that a pointer leads to: "pearson" for "/all/metrics/f1/pearson/value", and
// for "/measurements/[statistic=pearson,…]/value".
std::string value_name(std::string pointer) {
  const std::string value = "/value";
  if (pointer.ends_with(value)) pointer.resize(pointer.size() - value.size());
  const std::string measurement = "/measurements/[statistic=";
  if (pointer.starts_with(measurement)) {
    return pointer.substr(measurement.size(), pointer.find_first_of(",]") - measurement.size());
  }
  return pointer.substr(pointer.rfind('/') + 1);
}

// Without p values, which are on another scale. `name`: what names a line.
IntervalPlot cell_plot(Cells cells, const std::string& title, RowKey rows, std::string Cell::*name,
                       const Keys& keys) {
  for (const CellResult& result : cells) {
    if (!result.cell->is_p) rows.only.push_back(result.cell->*name);
  }
  const CellResult& first = cells.front();
  Column measured{.title = "measured", .statistics = {"mean"}};
  Column paper{.title = "the paper", .statistics = {"paper"}};
  if (rows.key == &Keys::metric) measured.any = paper.any = &Keys::group;
  const std::string unit = first.cell->scale == 100 ? ", %" : "";
  return {.layout = {.title = title, .rows = {rows}, .columns = {measured, paper}, .keys = keys},
          .axis = value_name(first.cell->value) + unit};
}

// Whether the step's rule selected another value than this run's.
bool is_passed_over(const StepRun& run, const ExperimentOutcome& outcome) {
  return std::ranges::any_of(outcome.selections, [&](const SelectedValue& selected) {
    return selected.step == run.step->name && run.bindings.at(selected.axis) != selected.value &&
           std::ranges::all_of(selected.bindings, [&](const auto& bound) {
             return run.bindings.at(bound.first) == bound.second;
           });
  });
}

}  // namespace

std::vector<IntervalPlot> cell_plots(std::span<const CellResult> cells) {
  const std::vector<Cells> rows = rows_of(cells);
  if (rows.size() == cells.size()) {
    if (!std::ranges::any_of(cells, is_drawn)) return {};
    return {cell_plot(cells, cells.front().cell->column, {"row", &Keys::metric}, &Cell::row, {})};
  }
  std::vector<IntervalPlot> plots;
  for (const Cells& row : rows) {
    if (!std::ranges::any_of(row, is_drawn)) continue;
    const std::string& name = row.front().cell->row;
    plots.push_back(
        cell_plot(row, name, {"column", &Keys::group, ""}, &Cell::column, {.metric = name}));
  }
  return plots;
}

std::vector<Plot> training_plots(const Plan& plan, const ExperimentOutcome& outcome) {
  std::vector<Plot> plots;
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const StepRun& run = plan.runs[i];
    const auto log = run.folder / "log.jsonl";
    if (!run.step->declared.back().makes_directory || !outcome.runs[i].is_done() ||
        is_passed_over(run, outcome) || !std::filesystem::exists(log)) {
      continue;
    }
    for (Plot& plot : learning_curves(log)) {
      plot.title = run.name + ": " + plot.title;
      plots.push_back(std::move(plot));
    }
  }
  return plots;
}

}  // namespace rubric::eval
