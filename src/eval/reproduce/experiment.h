// An experiment, read from its YAML file (experiments/README.md): one table or figure of a paper,
// the steps behind it, its cells and the paper's values.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rubric::eval {

struct StepCommand {
  bool prints_results = false;   // to stdout, as JSON with --format json
  bool writes_summary = false;   // of means, into the file of --summary
  bool makes_directory = false;  // a run directory, with log.jsonl and results.json
  bool appends = false;          // to its output: several calls, joined by &&, may write one
};

// What one call reads, found without running it.
struct CommandUse {
  // Files and directories, where there are such; the command says itself what is missing.
  std::vector<std::string> files;
  std::vector<std::string> models;
  std::string configuration;  // resolved: "a.b=v" a line; "" where the command takes none
  // Files that its metrics read besides; each throws InputError where they are missing.
  std::vector<std::vector<std::filesystem::path> (*)()> data;
  bool resumes = false;  // what a stopped call has written
};

struct StepCommands {
  // Throws InputError with `where` for words that begin with no command of steps.
  std::function<StepCommand(const std::vector<std::string>& words, const std::string& where)>
      describe;
  // Throws InputError for a configuration that cannot be read.
  std::function<CommandUse(const std::vector<std::string>& words)> use_of;
};

using Bindings = std::map<std::string, std::string>;  // axes or variables and their values

// Each of `all` with each of the values.
std::vector<Bindings> with_each(const std::vector<Bindings>& all, const std::string& name,
                                const std::vector<std::string>& values);

inline constexpr const char* kSeedAxis = "seed";  // the axis that `seeds:` lists

// Selects the value of an axis with which later steps continue: the one whose score, averaged over
// the seeds, is best.
struct SelectionRule {
  std::string axis;
  std::string pointer;  // a JSON pointer into the step's results
  bool lowest = false;  // select the lowest, else the highest
};

struct Step {
  std::string name, where;
  // Words that may contain {…}: an axis, a variable, {folder} (the step's own) or another step's
  // directory, {step} or {step:axis=value}. The first word is a rubric command; && separates
  // several commands.
  std::vector<std::string> command;
  std::vector<std::string> over;    // axes: the step runs once for each combination of their values
  std::vector<std::string> reads;   // files that no step writes
  std::vector<std::string> writes;  // files in its directory; the step is done when they exist
  std::optional<SelectionRule> select;
  std::vector<StepCommand> declared;  // of each command, in the order of the words

  bool runs_over(const std::string& axis) const;
};

// Splits a step's words at &&.
std::vector<std::vector<std::string>> split_commands(const std::vector<std::string>& words);

struct PaperValue {
  double value;
  int decimals;  // as printed
  std::string text;
};

struct Cell {
  std::string row, column, where;
  std::string step, value;          // value: a JSON pointer with {…} into the step's results.json
  std::string minus;                // a step whose same value is subtracted; "": none
  std::vector<Bindings> bindings;   // of axes and variables; several are averaged
  bool in_paper = true;             // false: the row is only ours, and has no `paper:`
  std::optional<PaperValue> paper;  // nothing if not in our copy of the paper
  double scale = 1;                 // multiplies the result: 100 for percentages
  bool is_p = false;                // a p value, printed as such
  std::string note;

  std::string name() const { return row + "/" + column; }
};

struct Axis {
  std::string name;
  std::vector<std::string> values;
};

struct Experiment {
  std::filesystem::path file;
  std::string title;
  std::filesystem::path output;  // holds a directory for each step; tables share steps
  std::string substitute;  // what replaces the paper's data and model; then there are no verdicts
  std::vector<std::string> notes;
  Bindings variables;
  Bindings sources;        // by variable: how to get the data stored there
  std::vector<Axis> grid;  // including `seeds:`
  std::vector<Step> steps;
  std::vector<Cell> cells;
  StepCommands commands;

  std::string name() const { return file.stem().string(); }
  const Step* find_step(const std::string& name) const;
  const Axis* find_axis(const std::string& name) const;
  // Bound, or a variable's; nullptr: there is no such name.
  const std::string* find_value(const std::string& name, const Bindings& bindings) const;
};

// Reads and checks the file. Throws InputError with file:line for an unknown key, step, axis or
// variable (with the nearest valid one), a step that depends on itself, a cell without a step or
// listed twice, and an axis without values.
Experiment read_experiment(const std::filesystem::path& file, const StepCommands& commands);

}  // namespace rubric::eval
