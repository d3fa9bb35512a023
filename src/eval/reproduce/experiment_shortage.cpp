#include "eval/reproduce/experiment_shortage.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "eval/reproduce/inputs.h"

namespace rubric {
namespace {

void add_once(const std::string& text, std::vector<std::string>& texts) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

// The runs that must all be made for one thing that was asked for: a cell's, or a single one.
std::vector<std::vector<size_t>> goals_of(const Plan& plan) {
  std::vector<std::vector<size_t>> goals;
  for (const CellRuns& cell : plan.cells) {
    goals.emplace_back();
    for (const auto& seeds : cell.runs) {
      goals.back().insert(goals.back().end(), seeds.begin(), seeds.end());
    }
  }
  for (const size_t run : plan.asked) goals.push_back({run});
  return goals;
}

// These runs and what they need, by run of the plan.
std::vector<bool> with_needs(const Plan& plan, const std::vector<size_t>& goal) {
  std::vector<bool> needed(plan.runs.size());
  for (const size_t run : goal) needed[run] = true;
  for (size_t i = plan.runs.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const size_t need : plan.runs[i].needs) needed[need] = true;
  }
  return needed;
}

// `lacks` says by run why it cannot be made, "" where it can.
std::vector<std::string> of_no_use(const Plan& plan, const std::vector<std::string>& lacks) {
  std::vector<std::string> reasons(plan.runs.size());
  std::vector<bool> is_of_use(plan.runs.size());
  for (const std::vector<size_t>& goal : goals_of(plan)) {
    const auto stopped =
        std::ranges::find_if(goal, [&](size_t run) { return !lacks[run].empty(); });
    const std::vector<bool> needed = with_needs(plan, goal);
    for (size_t i = 0; i < needed.size(); ++i) {
      if (!needed[i]) continue;
      if (stopped == goal.end()) {
        is_of_use[i] = true;
      } else if (reasons[i].empty()) {
        reasons[i] = "nothing could use it: " + lacks[*stopped];
      }
    }
  }
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (is_of_use[i]) reasons[i].clear();
  }
  return reasons;
}

}  // namespace

Shortage find_shortage(const Experiment& experiment, const Plan& plan) {
  std::map<std::string, std::vector<std::string>> files;  // by source
  std::vector<std::string> others, lacks;
  for (const StepRun& run : plan.runs) {
    const RunInputs inputs = inputs_of(experiment, run, fill_in(experiment, run));
    for (const std::string& file : inputs.missing_files) {
      add_once(file, files[source_of(experiment, file)]);
    }
    for (const std::string& other : inputs.missing_others) add_once(other, others);
    lacks.push_back(missing_text(experiment, inputs));
    for (const size_t need : run.needs) {
      if (lacks.back().empty()) lacks.back() = lacks[need];
    }
  }
  Shortage shortage{{}, of_no_use(plan, lacks)};
  for (const auto& [source, names] : files) {
    shortage.missing.push_back(join(names) + (source.empty() ? "" : ": " + source));
  }
  shortage.missing.insert(shortage.missing.end(), others.begin(), others.end());
  return shortage;
}

}  // namespace rubric
