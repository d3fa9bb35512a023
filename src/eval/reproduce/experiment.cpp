#include "eval/reproduce/experiment.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "config/reader.h"
#include "core/error.h"
#include "eval/reproduce/experiment_yaml.h"
#include "eval/reproduce/references.h"

namespace rubric::eval {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

SelectionRule read_selection(const config::Yaml& node, const std::string& what) {
  require_keys(node, what, {"axis", "highest", "lowest"});
  SelectionRule rule{text_of(require_member(node, what, "axis"), "axis"), "", false};
  const config::Yaml *const highest = node.find("highest"), *const lowest = node.find("lowest");
  if ((highest == nullptr) == (lowest == nullptr)) {
    throw InputError(what + ": expected either highest or lowest", node.where(),
                     "name the score by which a value is selected: highest: /best/value");
  }
  rule.lowest = lowest != nullptr;
  rule.figure = text_of(rule.lowest ? *lowest : *highest, rule.lowest ? "lowest" : "highest");
  return rule;
}

Step read_step(const std::string& name, const config::Yaml& node, const StepCommands& commands) {
  const std::string what = "steps." + name;
  require_keys(node, what, {"command", "over", "reads", "writes", "select"});
  Step step;
  step.name = name;
  step.where = node.where();
  step.command = words_of(text_of(require_member(node, what, "command"), what + ".command"));
  if (step.command.empty()) throw InputError(what + ": the command is empty", step.where);
  step.over = texts_member(node, "over");
  step.reads = texts_member(node, "reads");
  step.writes = texts_member(node, "writes");
  for (const std::vector<std::string>& command : split_commands(step.command)) {
    step.declared.push_back(commands.describe(command, step.where));
  }
  const StepCommand& last = step.declared.back();
  if (step.writes.empty() && (last.prints_results || last.makes_directory)) {
    step.writes = {"results.json"};
  }
  if (const config::Yaml* const rule = node.find("select")) {
    step.select = read_selection(*rule, what + ".select");
  }
  return step;
}

Axis read_axis(const std::string& name, const config::Yaml& node, const std::string& key) {
  Axis axis{name, texts_of(node, key)};
  if (axis.values.empty()) {
    throw InputError(key + " is empty", node.where(), "name at least one value");
  }
  std::set<std::string> seen;
  for (const std::string& value : axis.values) {
    if (!seen.insert(value).second) {
      throw InputError(key + " has " + value + " twice", node.where(), "remove one");
    }
  }
  return axis;
}

}  // namespace

bool Step::runs_over(const std::string& axis) const {
  return std::find(over.begin(), over.end(), axis) != over.end();
}

std::vector<std::vector<std::string>> split_commands(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> commands(1);
  for (const std::string& word : words) {
    if (word == "&&") {
      commands.emplace_back();
    } else {
      commands.back().push_back(word);
    }
  }
  return commands;
}

const Step* Experiment::find_step(const std::string& wanted) const {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.name == wanted; });
  return found == steps.end() ? nullptr : &*found;
}

const Axis* Experiment::find_axis(const std::string& wanted) const {
  const auto found =
      std::find_if(grid.begin(), grid.end(), [&](const Axis& a) { return a.name == wanted; });
  return found == grid.end() ? nullptr : &*found;
}

Experiment read_experiment(const std::filesystem::path& file, const StepCommands& commands) {
  const config::Yaml root = config::load_layers(file, {});
  require_keys(root, "experiment",
               {"title", "output", "stand_in", "notes", "variables", "sources", "grid", "seeds",
                "steps", "columns", "cells"});
  Experiment experiment;
  experiment.file = file;
  experiment.commands = commands;
  experiment.title = text_member(root, "title");
  experiment.output = text_member(root, "output");
  experiment.stand_in = text_member(root, "stand_in");
  experiment.notes = texts_member(root, "notes");
  for (const char* const key : {"title", "output", "steps", "cells"}) {
    if (root.find(key) == nullptr) {
      throw InputError(std::string("the experiment has no ") + key, file.string(),
                       std::string("add ") + key + ":");
    }
  }
  for (const auto& [name, value] : members_of(root, "variables")) {
    experiment.variables[name] = text_of(value, "variables." + name);
  }
  for (const auto& [name, value] : members_of(root, "sources")) {
    if (!experiment.variables.contains(name)) {
      throw InputError("sources: there is no variable called " + name, value.where(),
                       "name one of variables:");
    }
    experiment.sources[name] = text_of(value, "sources." + name);
  }
  for (const auto& [name, values] : members_of(root, "grid")) {
    experiment.grid.push_back(read_axis(name, values, "grid." + name));
  }
  if (const config::Yaml* const seeds = root.find("seeds")) {
    experiment.grid.push_back(read_axis(kSeedAxis, *seeds, "seeds"));
  }
  for (const auto& [name, value] : members_of(root, "steps")) {
    experiment.steps.push_back(read_step(name, value, commands));
  }
  check_steps(experiment);
  experiment.cells = read_cells(root);
  check_cells(experiment);
  return experiment;
}

}  // namespace rubric::eval
