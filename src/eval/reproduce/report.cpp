#include "eval/report/report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

#include "config/fields.h"
#include "core/error.h"
#include "eval/report/table.h"
#include "eval/reproduce/report.h"
#include "rubric/version.h"
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

// Collects reasons, which are printed below the table, each once; verdicts refer to them.
class Reasons {
 public:
  std::string verdict_text(const CellResult& result) {
    if (result.why.empty()) return result.verdict;
    auto found = std::find(reasons_.begin(), reasons_.end(), result.why);
    if (found == reasons_.end()) found = reasons_.insert(found, result.why);
    return result.verdict + ": " + mark(found - reasons_.begin());
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    for (size_t i = 0; i < reasons_.size(); ++i) {
      notes.push_back(mark(static_cast<std::ptrdiff_t>(i)) + " " + reasons_[i]);
    }
    return notes;
  }

 private:
  static std::string mark(std::ptrdiff_t index) { return "(" + std::to_string(index + 1) + ")"; }
  std::vector<std::string> reasons_;
};

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

Table selections_table(const ExperimentOutcome& outcome) {
  Table table{"Selected by the steps' rules",
              {"step", "selected", "mean figure of each"},
              {},
              {Align::left, Align::left, Align::left},
              {}};
  for (const SelectedValue& selected : outcome.selections) {
    std::vector<std::string> candidates;
    for (const Candidate& candidate : selected.candidates) {
      candidates.push_back(
          candidate.value + ": " +
          (candidate.mean ? format_fixed(*candidate.mean, 4) : std::string("undefined")));
    }
    table.rows.push_back(
        {place_of(selected), selected.axis + "=" + selected.value, join(candidates)});
  }
  return table;
}

Json cell_json(const CellResult& result) {
  const Cell& cell = *result.cell;
  Json json;
  json["row"] = cell.row;
  json["column"] = cell.column;
  json["paper"] = cell.paper ? Json::exact_number(cell.paper->value, cell.paper->text) : Json();
  json["mean"] = result.by_seed.empty() ? Json() : Json(value_of(result));
  json["sd"] = result.by_seed.size() < 2 ? Json() : Json(deviation(result.by_seed));
  json["by_seed"] = Json::Array(result.by_seed.begin(), result.by_seed.end());
  json["ci95"] =
      result.interval ? Json(Json::Array{result.interval->low, result.interval->high}) : Json();
  json["verdict"] = result.verdict == "–" ? Json() : Json(result.verdict);
  if (!result.why.empty()) json["why"] = result.why;
  if (!cell.note.empty()) json["note"] = cell.note;
  return json;
}

Json selection_json(const SelectedValue& selected) {
  Json json;
  json["step"] = selected.step;
  json["bindings"] = Json::Object();
  for (const auto& [name, value] : selected.bindings) json["bindings"][name] = value;
  json["axis"] = selected.axis;
  json["value"] = selected.value;
  for (const Candidate& candidate : selected.candidates) {
    json["candidates"][candidate.value] = candidate.mean ? Json(*candidate.mean) : Json();
  }
  return json;
}

}  // namespace

Table cells_table(const Experiment& experiment, std::span<const CellResult> cells) {
  Table table{experiment.title,
              {"row", "column", "paper", "measured", "95% interval", "verdict"},
              {},
              {Align::left, Align::left, Align::right, Align::right, Align::right, Align::left},
              {}};
  if (!experiment.substitute.empty()) {
    table.notes.push_back("No verdicts: " + experiment.substitute);
  }
  Reasons reasons;
  std::map<std::string, int> verdicts;
  for (const CellResult& result : cells) {
    const Cell& cell = *result.cell;
    const std::string paper = cell.paper      ? cell.paper->text
                              : cell.in_paper ? "not in our copy"
                                              : "–";
    table.rows.push_back({cell.row, cell.column, paper, measured_text(result),
                          interval_text(result), reasons.verdict_text(result)});
    if (result.verdict != "–") ++verdicts[result.verdict];
    if (!cell.note.empty())
      table.notes.push_back(cell.row + " / " + cell.column + ": " + cell.note);
  }
  const std::vector<std::string> why = reasons.notes();
  table.notes.insert(table.notes.begin(), why.begin(), why.end());
  std::vector<std::string> counts;
  for (const auto& [name, count] : verdicts) counts.push_back(std::to_string(count) + " " + name);
  if (!counts.empty()) {
    table.notes.push_back("Of " + std::to_string(cells.size()) + " cells: " + join(counts));
  }
  table.notes.insert(table.notes.end(), experiment.notes.begin(), experiment.notes.end());
  return table;
}

Table cell_value_table(std::span<const CellResult> cells) {
  Table table;
  table.header = {"row",   "column",   "paper",     "mean",    "sd",
                  "seeds", "ci95_low", "ci95_high", "verdict", "why"};
  for (const CellResult& result : cells) {
    const bool is_measured = !result.by_seed.empty();
    const auto end = [&](double stats::Interval::*side) {
      return result.interval ? config::number_text((*result.interval).*side) : "";
    };
    table.rows.push_back(
        {result.cell->row, result.cell->column, result.cell->paper ? result.cell->paper->text : "",
         is_measured ? config::number_text(value_of(result)) : "",
         result.by_seed.size() > 1 ? config::number_text(deviation(result.by_seed)) : "",
         std::to_string(result.by_seed.size()), end(&stats::Interval::low),
         end(&stats::Interval::high), result.verdict == "–" ? "" : result.verdict, result.why});
  }
  return table;
}

Table runs_table(const Plan& plan, const ExperimentOutcome& outcome) {
  Table table{
      "Steps", {"state", "step", "command"}, {}, {Align::left, Align::left, Align::left}, {}};
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const RunStatus& status = outcome.runs[i];
    const std::string why = status.why.empty() ? "" : ": " + status.why;
    // The command is empty while nothing is known of the step.
    const std::vector<std::string>& words = status.command;
    table.rows.push_back(
        {state_name(status.state) + why, plan.runs[i].name,
         words.empty() ? "" : shell_command(words.front(), {words.begin() + 1, words.end()})});
  }
  return table;
}

Table steps_table(const Plan& plan, const ExperimentOutcome& outcome) {
  struct Counts {
    std::string step;
    int64_t runs = 0, done = 0, to_run = 0, not_run = 0;
  };
  std::vector<Counts> steps;
  Counts all{"all"};
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const std::string& name = plan.runs[i].step->name;
    if (std::ranges::find(steps, name, &Counts::step) == steps.end()) steps.push_back({name});
    const RunState state = outcome.runs[i].state;
    for (Counts* const counts : {&*std::ranges::find(steps, name, &Counts::step), &all}) {
      ++counts->runs;
      counts->done += state == RunState::done || state == RunState::made ? 1 : 0;
      counts->to_run += state == RunState::to_run ? 1 : 0;
      counts->not_run += state == RunState::not_run ? 1 : 0;
    }
  }
  steps.push_back(all);
  Table table{"Steps",
              {"step", "runs", "done", "to run", "left out"},
              {},
              {Align::left, Align::right, Align::right, Align::right, Align::right},
              {}};
  for (const Counts& counts : steps) {
    table.rows.push_back({counts.step, std::to_string(counts.runs), std::to_string(counts.done),
                          std::to_string(counts.to_run), std::to_string(counts.not_run)});
  }
  return table;
}

Json to_json(const Experiment& experiment, const Plan& plan, const ExperimentOutcome& outcome,
             std::span<const CellResult> cells) {
  Json json;
  json["experiment"] = experiment.file.string();
  json["title"] = experiment.title;
  if (!experiment.substitute.empty()) json["stand_in"] = experiment.substitute;
  Json::Array cell_array, selections, runs;
  for (const CellResult& result : cells) cell_array.push_back(cell_json(result));
  for (const SelectedValue& selected : outcome.selections) {
    selections.push_back(selection_json(selected));
  }
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    const RunStatus& status = outcome.runs[i];
    Json run = Json::Object{{"name", plan.runs[i].name}, {"state", state_name(status.state)}};
    if (!status.why.empty()) run["why"] = status.why;
    run["command"] = Json::Array(status.command.begin(), status.command.end());
    if (status.seconds > 0) run["seconds"] = status.seconds;
    runs.push_back(std::move(run));
  }
  json["cells"] = std::move(cell_array);
  json["selections"] = std::move(selections);
  json["runs"] = std::move(runs);
  return json;
}

Report experiment_report(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, std::span<const CellResult> cells,
                         const std::string& command) {
  ExperimentSources sources = experiment_sources(plan, outcome);
  Report report{experiment.title,
                {},
                {cells_table(experiment, cells)},
                cell_plots(cells),
                std::move(sources.signatures),
                command,
                std::move(sources.versions)};
  report.tables.front().title.clear();  // it is the page's title
  std::ranges::move(training_plots(plan, outcome), std::back_inserter(report.plots));
  const std::string own = "rubric " + version_with_build();
  if (std::ranges::find(report.versions, own) == report.versions.end()) {
    report.versions.insert(report.versions.begin(), own);
  }
  if (!outcome.selections.empty()) report.tables.push_back(selections_table(outcome));
  for (Table* const table : {&sources.scored, &sources.trained}) {
    if (!table->rows.empty()) report.tables.push_back(std::move(*table));
  }
  report.tables.push_back(runs_table(plan, outcome));
  return report;
}

}  // namespace rubric::eval
