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
#include "eval/result/render.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

// The sample standard deviation of at least two values.
double deviation(const std::vector<double>& values) {
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

std::string measured_text(const CellResult& result) {
  if (result.by_seed.empty()) return "–";
  if (result.cell->is_p) return p_cell(value_of(result));
  const int decimals = decimals_of(result);
  std::string text = format_fixed(stats::mean(result.by_seed), decimals);
  if (result.by_seed.size() > 1) {
    text += " ± " + format_fixed(deviation(result.by_seed), decimals);
  }
  return text;
}

std::string interval_text(const CellResult& result) {
  if (!result.interval) return "–";
  const int decimals = decimals_of(result);
  return "[" + format_fixed(result.interval->low, decimals) + ", " +
         format_fixed(result.interval->high, decimals) + "]";
}

const char* state_name(RunState state) {
  switch (state) {
    case RunState::done:
      return "done before";
    case RunState::made:
      return "done";
    case RunState::to_run:
      return "to run";
    case RunState::not_run:
      return "not run";
    case RunState::failed:
      return "failed";
  }
  return "";
}

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
        {state_name(status.state), plan.runs[i].name, status.why,
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
// seed; "standard_deviation" over the seeds.
void add_measurements(const Experiment& experiment, const CellResult& cell_result, Result& result) {
  const Cell& cell = *cell_result.cell;
  const Keys keys{.metric = cell.row, .group = cell.column};
  if (cell.paper) {
    result.measurements.push_back({.keys = keys, .statistic = "paper", .value = cell.paper->value});
  }
  const bool has_value = !cell_result.by_seed.empty();
  const std::string statistic = cell.is_p ? "largest_p" : "mean";
  add_value({.keys = keys, .interval = cell_result.interval}, statistic,
            has_value ? std::optional(value_of(cell_result)) : std::nullopt, cell_result.why,
            result.measurements);
  if (cell.paper && experiment.substitute.empty()) {
    const double is_reproduced = cell_result.verdict == "reproduced" ? 1 : 0;
    add_value({.keys = keys}, "reproduced", has_value ? std::optional(is_reproduced) : std::nullopt,
              cell_result.why, result.measurements);
  }
  if (cell_result.by_seed.size() < 2) return;
  result.measurements.push_back(
      {.keys = keys, .statistic = "standard_deviation", .value = deviation(cell_result.by_seed)});
  for (size_t i = 0; i < cell_result.by_seed.size(); ++i) {
    Keys of_seed = keys;
    of_seed.seed = experiment.find_axis(kSeedAxis)->values[i];
    result.measurements.push_back(
        {.keys = of_seed, .statistic = statistic, .value = cell_result.by_seed[i]});
  }
}

// A row a cell. Reasons and the cells' notes go into `notes`, each reason once; "why" is its
// number.
Records cell_records(const Experiment& experiment, std::span<const CellResult> cells,
                     std::vector<std::string>& notes) {
  RecordRows rows;
  std::vector<std::string> reasons, cell_notes;
  std::map<std::string, int> verdicts;
  for (const CellResult& result : cells) {
    const Cell& cell = *result.cell;
    const std::string paper = cell.paper      ? cell.paper->text
                              : cell.in_paper ? "not in our copy"
                                              : "–";
    std::string why;
    if (!result.why.empty()) {
      add_once(result.why, reasons);
      const auto place = std::ranges::find(reasons, result.why) - reasons.begin();
      why = "(" + std::to_string(place + 1) + ")";
    }
    rows.push_back({cell.row, cell.column, paper, measured_text(result), interval_text(result),
                    result.verdict, why});
    if (result.verdict != "–") ++verdicts[result.verdict];
    if (!cell.note.empty()) cell_notes.push_back(cell.row + " / " + cell.column + ": " + cell.note);
  }
  for (size_t i = 0; i < reasons.size(); ++i) {
    notes.push_back("(" + std::to_string(i + 1) + ") " + reasons[i]);
  }
  if (!experiment.substitute.empty()) notes.push_back("No verdicts: " + experiment.substitute);
  notes.insert(notes.end(), cell_notes.begin(), cell_notes.end());
  std::vector<std::string> counts;
  for (const auto& [name, count] : verdicts) counts.push_back(std::to_string(count) + " " + name);
  if (!counts.empty()) {
    notes.push_back("Of " + std::to_string(cells.size()) + " cells: " + join(counts));
  }
  notes.insert(notes.end(), experiment.notes.begin(), experiment.notes.end());
  return held_records(
      {.name = "cells",
       .title = experiment.title,
       .columns = {"row", "column", "paper", "measured", "95% interval", "verdict", "why"},
       .is_whole = true},
      std::move(rows));
}

}  // namespace

Result experiment_result(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, std::span<const CellResult> cells) {
  Result result{.title = experiment.title, .inputs = {experiment.file.string()}};
  for (const CellResult& cell : cells) add_measurements(experiment, cell, result);
  result.records = {cell_records(experiment, cells, result.notes), selection_records(outcome)};
  std::ranges::move(source_records(plan, outcome), std::back_inserter(result.records));
  result.records.push_back(step_records(plan, outcome));
  result.plots = cell_plots(cells);
  std::ranges::move(training_plots(plan, outcome), std::back_inserter(result.plots));
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
  Layout steps_layout{.title = experiment.title, .rows = {{"step", &Keys::subset, "all"}}};
  for (const auto& [title, statistic] : {std::pair("runs", "runs"),
                                         {"done", "done"},
                                         {"to run", "to_run"},
                                         {"left out", "left_out"}}) {
    steps_layout.columns.push_back(counts_column(title, statistic));
  }
  result.tables = {std::move(steps_layout)};
  return result;
}

}  // namespace rubric::eval
