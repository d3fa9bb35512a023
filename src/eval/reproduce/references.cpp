#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "eval/reproduce/plan.h"

namespace rubric::eval {
namespace {

using References = std::map<const Step*, std::vector<StepReference>>;

std::vector<std::string> axis_names(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Axis& axis : experiment.grid) names.push_back(axis.name);
  return names;
}

std::vector<std::string> step_names(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Step& step : experiment.steps) names.push_back(step.name);
  return names;
}

// The names that a step's {…} may contain.
std::vector<std::string> names_in_reach(const Experiment& experiment, const Step& step) {
  std::vector<std::string> names = step_names(experiment);
  names.emplace_back("folder");
  names.insert(names.end(), step.over.begin(), step.over.end());
  for (const auto& [name, value] : experiment.variables) names.push_back(name);
  return names;
}

void check_binding(const Experiment& experiment, const std::string& axis, const std::string& value,
                   const std::string& where) {
  const std::vector<std::string>& values = experiment.find_axis(axis)->values;
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    throw unknown_name("value of " + axis, value, values, where);
  }
}

void check_reference(const Experiment& experiment, const Step& step,
                     const StepReference& reference) {
  for (const auto& [axis, value] : reference.given) {
    if (!reference.step->runs_over(axis)) {
      throw unknown_name("axis of " + reference.step->name, axis, reference.step->over, step.where);
    }
    check_binding(experiment, axis, value, step.where);
  }
  for (const std::string& axis : reference.step->over) {
    const bool is_chosen = reference.step->select && reference.step->select->axis == axis;
    if (reference.given.contains(axis) || step.runs_over(axis) || is_chosen) continue;
    throw InputError(
        "steps." + step.name + " leaves " + axis + " of {" + reference.step->name + "} open",
        step.where,
        "write {" + reference.step->name + ":" + axis + "=…}, add " + axis + " to over, or give " +
            reference.step->name + " a select");
  }
}

// Throws unless the step writes a results.json.
void require_results(const Step& step, const std::string& where) {
  if (step.declared.back().prints_results ||
      std::ranges::find(step.writes, "results.json") != step.writes.end()) {
    return;
  }
  throw InputError("the step " + step.name + " writes no results.json to take a value from", where,
                   "name a step that does, such as one with evaluate");
}

// Checks that options are written in the form in which a step's inputs are recognised.
void check_words(const Step& step) {
  for (const std::string& word : step.command) {
    if (word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1]))) {
      throw InputError("steps." + step.name + ": " + word + " is an option's short name",
                       step.where, "write its long name: --input, --output");
    }
    if (!word.starts_with("--") || word.find('=') == std::string::npos) continue;
    throw InputError("steps." + step.name + ": " + word + " is an option and its value in one word",
                     step.where, "put a blank between them");
  }
}

void check_commands(const Step& step) {
  if (step.declared.size() == 1) return;
  const std::vector<std::vector<std::string>> commands = split_commands(step.command);
  for (size_t i = 0; i < commands.size(); ++i) {
    if (step.declared[i].appends) continue;
    throw InputError(
        "steps." + step.name + " joins " + commands[i].front() + " with another command",
        step.where, "write a step for each; only judge, which appends to a ledger, is joined");
  }
}

void check_step(const Experiment& experiment, const Step& step) {
  const std::string what = "steps." + step.name;
  check_commands(step);
  check_words(step);
  if (step.writes.empty()) {
    throw InputError(what + " does not say what it writes", step.where,
                     "add writes: [FILE], in {folder}");
  }
  for (const std::string& axis : step.over) {
    if (experiment.find_axis(axis) == nullptr) {
      throw unknown_name("axis in grid (or seeds)", axis, axis_names(experiment), step.where);
    }
  }
  if (step.select && (!step.runs_over(step.select->axis) || step.select->axis == kSeedAxis)) {
    throw InputError(what + " selects " + step.select->axis + ", which it does not run over",
                     step.where, "name one of the axes in its over:, other than the seeds");
  }
  if (step.select) require_results(step, step.where);
}

// Over all the step's runs, each once: names that contain an axis differ between runs.
std::vector<StepReference> all_references(const Experiment& experiment, const Step& step) {
  std::vector<Bindings> runs = {{}};
  for (const std::string& axis : step.over) {
    runs = with_each(runs, axis, experiment.find_axis(axis)->values);
  }
  std::vector<StepReference> all;
  for (const Bindings& bindings : runs) {
    for (StepReference& reference : references_of(experiment, step, bindings)) {
      if (std::ranges::find(all, reference) == all.end()) all.push_back(std::move(reference));
    }
  }
  return all;
}

// Visits the steps that `step` needs; `path` led there.
void refuse_cycles(const References& references, const Step& step, std::vector<std::string> path) {
  const bool is_cycle = std::find(path.begin(), path.end(), step.name) != path.end();
  path.push_back(step.name);
  if (is_cycle) {
    throw InputError("a step needs itself: " + join(path, " → "), step.where,
                     "break the cycle of references");
  }
  for (const StepReference& reference : references.at(&step)) {
    refuse_cycles(references, *reference.step, path);
  }
}

// Checks that every axis of the cell's step and every name in its pointer has a value.
void check_bindings(const Experiment& experiment, const Cell& cell, const Step& step,
                    const Bindings& bindings) {
  for (const std::string& axis : step.over) {
    if (axis == kSeedAxis) continue;
    const auto bound = bindings.find(axis);
    if (bound == bindings.end()) {
      throw InputError(
          "the cell " + cell.name() + " leaves " + axis + " of the step " + step.name + " open",
          cell.where, "bind it in the column or under with:");
    }
    check_binding(experiment, axis, bound->second, cell.where);
  }
  pointer_of(experiment, cell, bindings);
}

[[noreturn]] void refuse(std::string_view text, const std::string& where) {
  throw InputError("cannot read the braces of " + std::string(text), where,
                   "write {name} or {step:axis=value,axis=value}");
}

Placeholder placeholder(std::string_view inside, std::string_view text, const std::string& where) {
  const size_t colon = std::min(inside.find(':'), inside.size());
  Placeholder result{std::string(inside.substr(0, colon)), {}};
  if (result.name.empty()) refuse(text, where);
  for (size_t begin = colon; begin < inside.size();) {
    const size_t end = std::min(inside.find(',', begin + 1), inside.size());
    const std::string_view pair = inside.substr(begin + 1, end - begin - 1);
    const size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos) refuse(text, where);
    result.given[std::string(pair.substr(0, equals))] = pair.substr(equals + 1);
    begin = end;
  }
  return result;
}

// The position of the brace that closes the one at `begin`, or npos.
size_t partner(std::string_view text, size_t begin) {
  int64_t open = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++open;
    if (text[i] == '}' && --open == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<StepReference> references_of(const Experiment& experiment, const Step& step,
                                         const Bindings& bindings) {
  std::vector<StepReference> references;
  const auto visit = [&](const std::string& text, bool may_refer) {
    fill_placeholders(text, step.where, [&](const Placeholder& placeholder) -> std::string {
      const auto& [name, given] = placeholder;
      if (name == "folder") return "";
      if (const std::string* const value = experiment.find_value(name, bindings)) return *value;
      const Step* const other = may_refer ? experiment.find_step(name) : nullptr;
      if (other == nullptr) {
        throw unknown_name(may_refer ? "step or variable" : "axis or variable", name,
                           names_in_reach(experiment, step), step.where);
      }
      references.push_back({other, given});
      return "";
    });
  };
  for (const std::string& word : step.command) visit(word, true);
  for (const auto* const files : {&step.reads, &step.writes}) {
    for (const std::string& file : *files) visit(file, false);
  }
  return references;
}

std::string bound_value(const std::string& axis, const Bindings& given, const Bindings& bindings) {
  if (const auto found = given.find(axis); found != given.end()) return found->second;
  const auto found = bindings.find(axis);
  return found == bindings.end() ? "" : found->second;
}

std::string pointer_of(const Experiment& experiment, const Cell& cell, const Bindings& bindings) {
  return fill_placeholders(cell.value, cell.where, [&](const Placeholder& placeholder) {
    const std::string* const value = experiment.find_value(placeholder.name, bindings);
    if (value != nullptr) return pointer_part(*value);
    std::vector<std::string> names;
    for (const Bindings* const all : {&bindings, &experiment.variables}) {
      for (const auto& [name, other] : *all) names.push_back(name);
    }
    throw unknown_name("name in reach of the pointer", placeholder.name, names, cell.where);
  });
}

void check_steps(const Experiment& experiment) {
  References references;
  for (const Step& step : experiment.steps) {
    check_step(experiment, step);
    for (const StepReference& reference : references[&step] = all_references(experiment, step)) {
      check_reference(experiment, step, reference);
    }
  }
  for (const Step& step : experiment.steps) refuse_cycles(references, step, {});
}

void check_cells(const Experiment& experiment) {
  for (const Cell& cell : experiment.cells) {
    const Step* const step = experiment.find_step(cell.step);
    if (step == nullptr) throw unknown_name("step", cell.step, step_names(experiment), cell.where);
    require_results(*step, cell.where);
    if (cell.is_p && cell.bindings.size() > 1) {
      throw InputError("the cell " + cell.name() + " averages several p values", cell.where,
                       "name the row's columns without it: the mean of p values is not a p value");
    }
    const Step* const minus = experiment.find_step(cell.minus);
    if (!cell.minus.empty()) {
      if (minus == nullptr) {
        throw unknown_name("step", cell.minus, step_names(experiment), cell.where);
      }
      require_results(*minus, cell.where);
      if (minus->runs_over(kSeedAxis) && !step->runs_over(kSeedAxis)) {
        throw InputError(
            "the step " + cell.minus + " runs over the seeds, and " + cell.step + " does not",
            cell.where + " (minus)", "subtract the step without seeds from the other");
      }
    }
    for (const Bindings& bindings : cell.bindings) {
      check_bindings(experiment, cell, *step, bindings);
      if (minus != nullptr) check_bindings(experiment, cell, *minus, bindings);
    }
  }
}

std::string fill_placeholders(std::string_view text, const std::string& where,
                              const std::function<std::string(const Placeholder&)>& value) {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}') refuse(text, where);
    if (text[i] != '{') {
      filled += text[i];
      continue;
    }
    const size_t end = partner(text, i);
    if (end == std::string_view::npos) refuse(text, where);
    const std::string inside = fill_placeholders(text.substr(i + 1, end - i - 1), where, value);
    filled += value(placeholder(inside, text, where));
    i = end;
  }
  return filled;
}

}  // namespace rubric::eval
