#include "eval/reproduce/experiment.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "config/reader.h"
#include "config/yaml.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "eval/reproduce/plan.h"

namespace rubric::eval {
namespace {

// Reading YAML: what is wrong is an InputError with file:line.

// Throws unless `node` is a map whose keys are all in `keys`.
void require_keys(const config::Yaml& node, const std::string& what,
                  const std::vector<std::string>& keys) {
  if (node.kind != config::Yaml::Kind::map) {
    throw InputError(what + ": expected a map of keys, found " + node.describe(), node.where(),
                     "its keys are: " + join(keys));
  }
  for (const auto& [name, value] : node.members) {
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    const std::string nearest = nearest_name(name, keys);
    throw InputError(
        what + ": unknown key " + json_quote(name), value.where(),
        nearest.empty() ? "the keys here are: " + join(keys) : "did you mean " + nearest + "?");
  }
}

// The member of a map; throws when it is missing.
const config::Yaml& require_member(const config::Yaml& map, const std::string& what,
                                   const std::string& key) {
  const config::Yaml* const member = map.find(key);
  if (member == nullptr) throw InputError(what + " has no " + key, map.where(), "add " + key + ":");
  return *member;
}

// A scalar; a list of scalars, where a single scalar is a list of one.
std::string text_of(const config::Yaml& node, const std::string& key) {
  if (node.kind == config::Yaml::Kind::scalar && !node.text.empty()) return node.text;
  throw InputError(key + ": expected a text, found " + node.describe(), node.where(),
                   "write one text");
}

std::vector<std::string> texts_of(const config::Yaml& node, const std::string& key) {
  if (node.kind != config::Yaml::Kind::list) return {text_of(node, key)};
  std::vector<std::string> texts;
  for (const config::Yaml& item : node.items) texts.push_back(text_of(item, key));
  return texts;
}

// The same for an optional member of a map: "" or an empty list when it is missing.
std::string text_member(const config::Yaml& map, const std::string& key) {
  const config::Yaml* const member = map.find(key);
  return member == nullptr ? "" : text_of(*member, key);
}

std::vector<std::string> texts_member(const config::Yaml& map, const std::string& key) {
  const config::Yaml* const member = map.find(key);
  return member == nullptr ? std::vector<std::string>() : texts_of(*member, key);
}

// A finite decimal number.
double number_of(const config::Yaml& node, const std::string& key) {
  double value = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stopped, error] = std::from_chars(node.text.data(), end, value);
  if (node.kind != config::Yaml::Kind::scalar || node.quoted || error != std::errc() ||
      stopped != end || !std::isfinite(value)) {
    throw InputError(key + ": expected a number, found " + node.describe(), node.where(),
                     "write a number");
  }
  return value;
}

// The members of the map `key` of `map`; empty when it is missing.
const std::vector<std::pair<std::string, config::Yaml>>& members_of(const config::Yaml& map,
                                                                    const std::string& key) {
  static const std::vector<std::pair<std::string, config::Yaml>> kNone;
  const config::Yaml* const member = map.find(key);
  if (member == nullptr) return kNone;
  if (member->kind != config::Yaml::Kind::map) {
    throw InputError(key + ": expected a map of names, found " + member->describe(),
                     member->where(), "write NAME: VALUE, one a line");
  }
  return member->members;
}

// Cells.

using NamedColumn =
    std::pair<std::string, const config::Yaml*>;  // its name, and what its cells share

// "0.403" is a value printed with three decimals; nullopt for null.
std::optional<PaperValue> paper_value(const config::Yaml& node) {
  if (node.kind == config::Yaml::Kind::null) return std::nullopt;
  const double value = number_of(node, "paper");
  const size_t point = node.text.find('.');
  const size_t decimals = point == std::string::npos ? 0 : node.text.size() - point - 1;
  return PaperValue{value, static_cast<int>(decimals), node.text};
}

constexpr const char* kScale = "scale";  // of a row, and of a column in place of its rows'

double scale_of(const config::Yaml& map, double otherwise) {
  const config::Yaml* const scale = map.find(kScale);
  return scale == nullptr ? otherwise : number_of(*scale, kScale);
}

// Every combination of `so_far` with one value of each name in the map, but its scale.
std::vector<Bindings> combined(std::vector<Bindings> so_far, const config::Yaml& map) {
  if (map.kind == config::Yaml::Kind::null) return so_far;
  if (map.kind != config::Yaml::Kind::map) {
    throw InputError("expected a map of axes and variables, found " + map.describe(), map.where(),
                     "write NAME: VALUE, one a line");
  }
  for (const auto& [name, node] : map.members) {
    if (name != kScale) so_far = with_each(so_far, name, texts_of(node, name));
  }
  return so_far;
}

std::vector<NamedColumn> chosen_columns(const config::Yaml& node,
                                        const std::vector<NamedColumn>& all) {
  const config::Yaml* const chosen = node.find("column");
  if (chosen == nullptr) return all;
  std::vector<NamedColumn> columns;
  std::vector<std::string> names;
  for (const NamedColumn& column : all) names.push_back(column.first);
  for (const std::string& name : texts_of(*chosen, "column")) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw unknown_name("column", name, names, chosen->where());
    columns.push_back(all[static_cast<size_t>(found - names.begin())]);
  }
  return columns;
}

// The paper's values, one a column.
std::vector<std::optional<PaperValue>> paper_values(const config::Yaml& paper, size_t columns) {
  std::vector<std::optional<PaperValue>> values;
  if (paper.kind == config::Yaml::Kind::list) {
    for (const config::Yaml& item : paper.items) values.push_back(paper_value(item));
  } else if (paper.kind == config::Yaml::Kind::null) {
    values.resize(columns);
  } else {
    values.push_back(paper_value(paper));
  }
  if (values.size() != columns) {
    throw InputError("paper: " + std::to_string(values.size()) + " values for " +
                         std::to_string(columns) + " columns",
                     paper.where(), "give one a column, null where our copy has none");
  }
  return values;
}

void add_notes(const config::Yaml& node, std::vector<Cell>& cells) {
  for (const auto& [column, text] : members_of(node, "notes")) {
    const auto found = std::ranges::find(cells, column, &Cell::column);
    if (found == cells.end()) {
      throw InputError("notes: the row has no column " + column, text.where(),
                       "name one of its columns");
    }
    found->note = text_of(text, "notes." + column);
  }
}

// The JSON pointer that `value:` or `highest:` names. "/records/rationales/0/rev" is one; "pearson,
// metric=f1, group={group}" is the value of the measurement with this statistic and these keys,
// "difference.p, …" its p.
std::string value_pointer(const std::string& text) {
  if (text.starts_with('/')) return text;
  std::string keys = text, field = "value";
  replace_all(keys, ", ", ",");
  const size_t comma = std::min(keys.find(','), keys.size()),
               point = keys.substr(0, comma).find('.');
  if (point != keys.npos) {
    field = keys.substr(point + 1, comma - point - 1);
    keys.erase(point, comma - point);
  }
  return "/measurements/[statistic=" + keys + "]/" + field;
}

std::vector<Cell> read_row(const config::Yaml& node, const std::vector<NamedColumn>& all_columns) {
  require_keys(
      node, "cells",
      {"row", "column", "step", "value", "minus", "with", "paper", kScale, "kind", "notes"});
  Cell common;
  common.row = text_of(require_member(node, "the row", "row"), "row");
  common.where = node.where();
  common.step = text_member(node, "step");
  if (common.step.empty()) {
    throw InputError("the cells of " + common.row + " have no step", common.where,
                     "add step: and value: that say where their values come from");
  }
  common.value = value_pointer(text_of(require_member(node, "the row", "value"), "value"));
  common.minus = text_member(node, "minus");
  common.scale = scale_of(node, 1);
  if (const std::string kind = text_member(node, "kind"); !kind.empty()) {
    if (kind != "p") {
      throw InputError("kind is " + json_quote(kind), common.where, "kind: p is a p value");
    }
    common.is_p = true;
  }
  const config::Yaml none, *const with = node.find("with");
  const std::vector<Bindings> given = combined({{}}, with == nullptr ? none : *with);
  const std::vector<NamedColumn> columns = chosen_columns(node, all_columns);
  const config::Yaml* const paper = node.find("paper");
  common.in_paper = paper != nullptr;
  const auto values = paper_values(paper == nullptr ? none : *paper, columns.size());
  std::vector<Cell> cells(columns.size(), common);
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i].column = columns[i].first;
    cells[i].bindings = combined(given, *columns[i].second);
    cells[i].scale = scale_of(*columns[i].second, common.scale);
    cells[i].paper = values[i];
  }
  add_notes(node, cells);
  return cells;
}

// Each entry of `cells:` is a row over some or all of the `columns:`.
std::vector<Cell> read_cells(const config::Yaml& root) {
  std::vector<NamedColumn> columns;
  for (const auto& [name, value] : members_of(root, "columns")) columns.emplace_back(name, &value);
  const config::Yaml& rows = require_member(root, "the experiment", "cells");
  if (rows.kind != config::Yaml::Kind::list || rows.items.empty() || columns.empty()) {
    throw InputError("the experiment has no cells", rows.where(),
                     "list its columns: and, under cells:, its rows");
  }
  std::vector<Cell> cells;
  std::set<std::string> names;
  for (const config::Yaml& row : rows.items) {
    for (Cell& cell : read_row(row, columns)) {
      if (!names.insert(cell.name()).second) {
        throw InputError("the cell " + cell.name() + " occurs twice", cell.where, "remove one");
      }
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

// Steps.

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
                     "name the score by which a value is selected: highest: pearson");
  }
  rule.lowest = lowest != nullptr;
  rule.pointer =
      value_pointer(text_of(rule.lowest ? *lowest : *highest, rule.lowest ? "lowest" : "highest"));
  return rule;
}

Step read_step(const std::string& name, const config::Yaml& node, const StepCommands& commands) {
  const std::string what = "steps." + name;
  require_keys(node, what, {"command", "over", "reads", "writes", "select"});
  Step step;
  step.name = name;
  step.where = node.where();
  step.command = words_of(text_of(require_member(node, what, "command"), what + ".command"));
  if (step.command.empty())
    throw InputError(what + ": the command is empty", step.where, "write what is to be run");
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

std::vector<Bindings> with_each(const std::vector<Bindings>& all, const std::string& name,
                                const std::vector<std::string>& values) {
  std::vector<Bindings> longer;
  for (const std::string& value : values) {
    for (const Bindings& bindings : all) {
      longer.push_back(bindings);
      longer.back()[name] = value;
    }
  }
  return longer;
}

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
  const auto found = std::ranges::find(steps, wanted, &Step::name);
  return found == steps.end() ? nullptr : &*found;
}

const Axis* Experiment::find_axis(const std::string& wanted) const {
  const auto found = std::ranges::find(grid, wanted, &Axis::name);
  return found == grid.end() ? nullptr : &*found;
}

const std::string* Experiment::find_value(const std::string& wanted,
                                          const Bindings& bindings) const {
  if (const auto bound = bindings.find(wanted); bound != bindings.end()) return &bound->second;
  const auto variable = variables.find(wanted);
  return variable == variables.end() ? nullptr : &variable->second;
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
  experiment.substitute = text_member(root, "stand_in");
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
