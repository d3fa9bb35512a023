#include "eval/reproduce/report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "core/error.h"
#include "eval/report/report.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

// The sample standard deviation of at least two values.
double standard_deviation(const std::vector<double>& values) {
  const double center = stats::mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// The paper's decimals, else three (one for percentages, none for counts).
int decimals_of(const CellResult& result) {
  if (result.cell->paper) return result.cell->paper->decimals;
  const auto is_whole = [](double value) { return value == std::floor(value); };
  if (!result.interval && std::all_of(result.by_seed.begin(), result.by_seed.end(), is_whole)) {
    return 0;
  }
  return result.cell->scale == 100 ? 1 : 3;
}

// The mean over the seeds; of p values the largest, as their mean is none.
double value_of(const CellResult& result) {
  return result.cell->is_p ? *std::ranges::max_element(result.by_seed)
                           : stats::mean(result.by_seed);
}

constexpr const char* kStateNames[] = {"done before", "done", "to run", "not run", "failed"};

// "train_ood/constituent=drop", "pretrain": the step for which a value was selected.
std::string place_of(const SelectedValue& selected) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : selected.bindings) parts.push_back(name + "=" + value);
  return selected.step + (parts.empty() ? "" : "/") + join(parts, ",");
}

Records step_records(const Plan& plan, const ExperimentOutcome& outcome) {
  RecordRows rows;
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const RunStatus& status = outcome.runs[i];
    RecordValue seconds;
    if (status.seconds > 0) seconds = status.seconds;
    const std::vector<std::string>& words = status.command;  // none while the step waits for others
    rows.push_back(
        {kStateNames[static_cast<size_t>(status.state)], plan.runs[i].name, status.why,
         words.empty() ? "" : shell_command(words.front(), {words.begin() + 1, words.end()}),
         seconds});
  }
  return held_records({.name = "steps",
                       .title = "Steps",
                       .columns = {"state", "step", "why", "command", "seconds"},
                       .is_printed = false,
                       .is_whole = true},
                      std::move(rows));
}

Records selection_records(const ExperimentOutcome& outcome) {
  RecordRows rows;
  for (const SelectedValue& selected : outcome.selections) {
    for (const Candidate& candidate : selected.candidates) {
      RecordValue mean;
      if (candidate.mean) mean = *candidate.mean;
      rows.push_back({place_of(selected), selected.axis, candidate.value, mean,
                      candidate.value == selected.value ? "yes" : "no"});
    }
  }
  return held_records({.name = "selections",
                       .title = "Selected by the steps' rules",
                       .columns = {"step", "axis", "value", "mean score", "selected"},
                       .is_printed = false},
                      std::move(rows));
}

// The measurements of a cell: "paper"; "mean" over the seeds, or "largest_p", with that of each
// seed; "standard_deviation" over the seeds; "verdict".
void add_measurements(const Experiment& experiment, const CellResult& cell_result, Result& result) {
  const Cell& cell = *cell_result.cell;
  const Adder adder{
      result.measurements, {.metric = cell.row, .group = cell.column}, {}, cell_result.why};
  const auto add = [&](const std::string& statistic, std::optional<double> value) -> Measurement& {
    Measurement& one = adder(statistic, value);
    one.digits = decimals_of(cell_result);
    return one;
  };
  if (cell.paper) add("paper", cell.paper->value);
  std::optional<double> value;
  if (!cell_result.by_seed.empty()) value = value_of(cell_result);
  const std::string statistic = cell.is_p ? "largest_p" : "mean";
  Measurement& ours = add(statistic, value);
  ours.interval = cell_result.interval;
  if (cell.is_p) ours.p = value;
  if (cell.paper && experiment.substitute.empty()) add("verdict", cell_result.verdict);
  if (cell_result.by_seed.size() < 2) return;
  add("standard_deviation", standard_deviation(cell_result.by_seed));
  for (size_t i = 0; i < cell_result.by_seed.size(); ++i) {
    add(statistic, cell_result.by_seed[i]).keys.seed = experiment.find_axis(kSeedAxis)->values[i];
  }
}

// Why cells have no value, and no paper's; the cells' notes; how many there are of each verdict.
std::vector<std::string> cell_notes(const Experiment& experiment,
                                    std::span<const CellResult> cells) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;  // with their cells
  std::vector<std::string> notes;
  std::map<std::string, int> verdicts;
  const auto add_reason = [&](const std::string& reason, const Cell& cell) {
    auto known = std::ranges::find(reasons, reason, [](const auto& each) { return each.first; });
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {reason, {}});
    known->second.push_back(cell.row + " / " + cell.column);
  };
  for (const CellResult& result : cells) {
    const Cell& cell = *result.cell;
    if (!cell.paper && cell.in_paper) add_reason("not in our copy of the paper", cell);
    if (!result.why.empty()) {
      add_reason(result.why, cell);
      ++verdicts[result.why.substr(0, result.why.find(':'))];
    }
    if (result.verdict)
      ++verdicts[*result.verdict == 0 ? "reproduced" : *result.verdict > 0 ? "above" : "below"];
    if (!cell.note.empty()) notes.push_back(cell.row + " / " + cell.column + ": " + cell.note);
  }
  std::vector<std::string> all;
  for (const auto& [reason, of_cells] : reasons) all.push_back(join_some(of_cells) + ": " + reason);
  if (!experiment.substitute.empty()) all.push_back("No verdicts: " + experiment.substitute);
  std::ranges::move(notes, std::back_inserter(all));
  std::vector<std::string> counts;
  for (const auto& [name, count] : verdicts) counts.push_back(std::to_string(count) + " " + name);
  if (!counts.empty()) {
    all.push_back("Of " + std::to_string(cells.size()) + " cells: " + join(counts));
  }
  all.insert(all.end(), experiment.notes.begin(), experiment.notes.end());
  return all;
}

}  // namespace

Result experiment_result(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, std::span<const CellResult> cells) {
  Result result{.title = experiment.title,
                .tables = {read_layout("reproduce", "cells", {{"title", experiment.title}})},
                .records = {selection_records(outcome)},
                .interval_plots = cell_plots(cells),
                .notes = cell_notes(experiment, cells),
                .inputs = {experiment.file.string()}};
  for (const CellResult& cell : cells) add_measurements(experiment, cell, result);
  std::ranges::move(source_records(plan, outcome), std::back_inserter(result.records));
  result.records.push_back(step_records(plan, outcome));
  result.plots = training_plots(plan, outcome);
  return result;
}

Result dry_run_result(const Experiment& experiment, const Plan& plan,
                      const ExperimentOutcome& outcome, bool is_verbose) {
  Result result{.title = experiment.title};
  const auto count = [&](const std::string& step, const char* statistic, auto is_counted) {
    int64_t counted = 0;
    for (size_t i = 0; i < plan.runs.size(); ++i) {
      const bool is_of_step = step.empty() || plan.runs[i].step->name == step;
      counted += is_of_step && is_counted(outcome.runs[i]) ? 1 : 0;
    }
    result.measurements.push_back(count_of({.subset = step}, statistic, counted));
    return std::to_string(counted);
  };
  const auto is = [](RunState state) {
    return [state](const RunStatus& run) { return run.state == state; };
  };
  std::vector<std::string> steps;
  for (const StepRun& run : plan.runs) add_once(run.step->name, steps);
  steps.emplace_back();  // the row of all
  for (const std::string& step : steps) {
    const std::string runs = count(step, "runs", [](const RunStatus&) { return true; });
    const std::string done = count(step, "done", is(RunState::done));
    const std::string to_run = count(step, "to_run", is(RunState::to_run));
    const std::string left_out = count(step, "left_out", is(RunState::not_run));
    if (!step.empty()) continue;
    result.notes = {std::to_string(plan.cells.size()) + " cells from " + runs + " steps: " + done +
                    " done, " + to_run + " to run, " + left_out + " left out"};
  }
  result.records = {step_records(plan, outcome)};
  if (is_verbose) {
    result.records.front().is_printed = true;
    result.records.front().title = experiment.title;
    return result;
  }
  result.notes.emplace_back("--verbose shows each, with its command");
  result.tables = {read_layout("reproduce", "runs", {{"title", experiment.title}})};
  return result;
}

}  // namespace rubric::eval
