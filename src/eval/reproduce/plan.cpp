#include "eval/reproduce/plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fnmatch.h>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::eval {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return pattern == name || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool matches(const std::string& pattern, const Cell& cell) {
  return matches(pattern, cell.row) || matches(pattern, cell.column) ||
         matches(pattern, cell.name());
}

// Returns a value as a run's name has it. The name is that of a directory, with commas between
// values, so '/', ',' and '%' are escaped: two different values never give one name.
std::string escaped(std::string value) {
  for (const auto& [from, to] : {std::pair("%", "%25"), {"/", "%2F"}, {",", "%2C"}}) {
    replace_all(value, from, to);
  }
  return value;
}

// The runs of a step with these bindings: one a seed, unless they name one.
std::vector<Bindings> each_seed(const Experiment& experiment, const Step& step,
                                const Bindings& bindings) {
  if (!step.runs_over(kSeedAxis) || bindings.contains(kSeedAxis)) return {bindings};
  return with_each({bindings}, kSeedAxis, experiment.find_axis(kSeedAxis)->values);
}

// The axes of the referenced step that a run with `bindings` determines.
Bindings passed_on(const StepReference& reference, const Bindings& bindings) {
  Bindings passed;
  for (const std::string& axis : reference.step->over) {
    std::string value = bound_value(axis, reference.given, bindings);
    if (!value.empty()) passed[axis] = std::move(value);
  }
  return passed;
}

// The runs that a reference stands for: one, or all among which a value of the open axis is
// selected.
std::vector<Bindings> runs_behind(const Experiment& experiment, const StepReference& reference,
                                  const Bindings& bindings) {
  Bindings passed = passed_on(reference, bindings);
  const Step& step = *reference.step;
  if (!step.select || passed.contains(step.select->axis)) return {passed};
  passed.erase(kSeedAxis);
  return with_each(each_seed(experiment, step, passed), step.select->axis,
                   experiment.find_axis(step.select->axis)->values);
}

class Planner {
 public:
  explicit Planner(const Experiment& experiment) : experiment_(experiment) {}

  size_t add(const Step& step, const Bindings& bindings) {
    const std::string name = run_name(step, bindings);
    if (const auto known = index_.find(name); known != index_.end()) return known->second;
    StepRun run{&step, {}, name, experiment_.output / name, {}};
    for (const std::string& axis : step.over) run.bindings[axis] = bindings.at(axis);
    for (const StepReference& reference : references_of(experiment_, step, run.bindings)) {
      for (const Bindings& needed : runs_behind(experiment_, reference, run.bindings)) {
        run.needs.push_back(add(*reference.step, needed));
      }
    }
    plan_.runs.push_back(std::move(run));
    return index_[name] = plan_.runs.size() - 1;
  }

  void add(const Cell& cell) {
    const Step& step = *experiment_.find_step(cell.step);
    const Step* const minus = experiment_.find_step(cell.minus);
    CellRuns runs{&cell, {}, {}};
    for (const Bindings& bindings : cell.bindings) {
      runs.runs.emplace_back();
      if (minus != nullptr) runs.minus.emplace_back();
      for (const Bindings& bound : each_seed(experiment_, step, bindings)) {
        runs.runs.back().push_back(add(step, bound));
        if (minus != nullptr) runs.minus.back().push_back(add(*minus, bound));
      }
    }
    plan_.cells.push_back(std::move(runs));
  }

  Plan take() { return std::move(plan_); }

 private:
  const Experiment& experiment_;
  std::map<std::string, size_t> index_;  // by name
  Plan plan_;
};

Plan plan_of_cells(const Experiment& experiment, const std::string& pattern) {
  Planner planner(experiment);
  for (const Cell& cell : experiment.cells) {
    if (pattern.empty() || matches(pattern, cell)) planner.add(cell);
  }
  return planner.take();
}

Plan plan_of_steps(const Experiment& experiment, const std::string& pattern) {
  Planner planner(experiment);
  std::vector<size_t> asked;
  for (const StepRun& run : plan_of_cells(experiment, "").runs) {
    if (matches(pattern, run.step->name) || matches(pattern, run.name)) {
      asked.push_back(planner.add(*run.step, run.bindings));
    }
  }
  Plan plan = planner.take();
  plan.asked = std::move(asked);
  return plan;
}

// The mean over the seeds; nothing if undefined for one.
std::optional<double> mean_value(const Experiment& experiment, const Step& step,
                                 const Bindings& bindings) {
  double sum = 0;
  const std::vector<Bindings> runs = each_seed(experiment, step, bindings);
  for (const Bindings& run : runs) {
    const auto file = experiment.output / run_name(step, run) / "results.json";
    const Json results = Json::parse_file(file);
    const Json& value =
        at_pointer(results, step.select->pointer, step.where + ", in " + file.string());
    if (!value.is_number()) return std::nullopt;
    sum += value.number();
  }
  return sum / static_cast<double>(runs.size());
}

}  // namespace

std::string run_name(const Step& step, const Bindings& bindings) {
  std::string values;
  for (const std::string& axis : step.over) {
    values += (values.empty() ? "" : ",") + axis + "=" + escaped(bindings.at(axis));
  }
  return values.empty() ? step.name : step.name + "/" + values;
}

Plan make_plan(const Experiment& experiment, const std::string& only) {
  Plan plan = plan_of_cells(experiment, only);
  if (plan.runs.empty()) plan = plan_of_steps(experiment, only);
  if (!plan.runs.empty()) return plan;
  std::vector<std::string> names;
  for (const Cell& cell : experiment.cells) names.insert(names.end(), {cell.row, cell.column});
  for (const Step& step : experiment.steps) names.push_back(step.name);
  const std::string nearest = nearest_name(only, names);
  throw InputError(
      "no cell and no step of " + experiment.file.string() + " matches \"" + only + "\"", "--only",
      nearest.empty() ? "--dry-run lists the steps" : "did you mean " + nearest + "?");
}

FilledStep fill_in(const Experiment& experiment, const StepRun& run, const ChosenValue& chosen) {
  const auto folder_of = [&](const Step& step, const Bindings& given) {
    Bindings bindings = passed_on({&step, given}, run.bindings);
    if (step.select && !bindings.contains(step.select->axis)) {
      bindings[step.select->axis] = chosen ? chosen(step, bindings) : "<" + step.select->axis + ">";
    }
    return (experiment.output / run_name(step, bindings)).string();
  };
  const auto value = [&](const Placeholder& placeholder) -> std::string {
    const std::string& name = placeholder.name;
    if (name == "folder") return run.folder.string();
    if (const std::string* const known = experiment.find_value(name, run.bindings)) return *known;
    return folder_of(*experiment.find_step(name), placeholder.given);
  };
  const auto all = [&](const std::vector<std::string>& texts) {
    std::vector<std::string> filled;
    for (const std::string& text : texts) {
      filled.push_back(fill_placeholders(text, run.step->where, value));
    }
    return filled;
  };
  return {all(run.step->command), all(run.step->reads), all(run.step->writes)};
}

SelectedValue select_value(const Experiment& experiment, const Step& step,
                           const Bindings& bindings) {
  const SelectionRule& rule = *step.select;
  SelectedValue selected{step.name, {}, rule.axis, "", {}};
  for (const std::string& axis : step.over) {
    if (axis != rule.axis && axis != kSeedAxis) selected.bindings[axis] = bindings.at(axis);
  }
  std::optional<double> best;
  for (const std::string& value : experiment.find_axis(rule.axis)->values) {
    Bindings candidate = selected.bindings;
    candidate[rule.axis] = value;
    const std::optional<double> mean = mean_value(experiment, step, candidate);
    selected.candidates.push_back({value, mean});
    if (!mean || (best && (rule.lowest ? *mean >= *best : *mean <= *best))) continue;
    best = mean;
    selected.value = value;
  }
  if (!best) {
    throw Error("no " + rule.axis + " can be selected: " + rule.pointer + " is undefined for all",
                step.where);
  }
  return selected;
}

}  // namespace rubric::eval
