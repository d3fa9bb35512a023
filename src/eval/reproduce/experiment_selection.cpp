#include "eval/reproduce/experiment_selection.h"

#include "core/error.h"
#include "core/json/json_pointer.h"
#include "eval/reproduce/plan.h"

namespace rubric {
namespace {

// The mean over the seeds; nothing where a run's figure is undefined.
std::optional<double> mean_figure(const Experiment& experiment, const Step& step,
                                  Bindings bindings) {
  const std::vector<std::string> one_run = {""};
  const bool has_seeds = step.runs_over(kSeedAxis);
  const std::vector<std::string>& seeds =
      has_seeds ? experiment.find_axis(kSeedAxis)->values : one_run;
  double sum = 0;
  for (const std::string& seed : seeds) {
    if (has_seeds) bindings[kSeedAxis] = seed;
    const auto file = experiment.output / run_name(step, bindings) / "results.json";
    const Json results = Json::parse_file(file);
    const Json& figure =
        at_pointer(results, step.select->figure, step.where + ", in " + file.string());
    if (!figure.is_number()) return std::nullopt;
    sum += figure.number();
  }
  return sum / static_cast<double>(seeds.size());
}

}  // namespace

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
    const std::optional<double> mean = mean_figure(experiment, step, std::move(candidate));
    selected.candidates.push_back({value, mean});
    if (!mean || (best && (rule.lowest ? *mean >= *best : *mean <= *best))) continue;
    best = mean;
    selected.value = value;
  }
  if (!best) {
    throw Error("no " + rule.axis + " can be selected: " + rule.figure + " is undefined for all",
                step.where);
  }
  return selected;
}

}  // namespace rubric
