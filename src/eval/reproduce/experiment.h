// An experiment: one table or figure of a paper, the steps behind it, its cells and the paper's
// values. experiments/README.md shows the file's form.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rubric::eval {

using Bindings = std::map<std::string, std::string>;  // variables and their values

inline constexpr const char* kSeedAxis = "seed";  // the axis that `seeds:` lists

// Which value of an axis the steps after this one go on with: the one whose mean figure over the
// seeds is best.
struct SelectionRule {
  std::string axis;
  std::string figure;   // a JSON pointer into the step's results
  bool lowest = false;  // of the figures, else the highest
};

struct Step {
  std::string name, where;
  // Words with {…} in them: an axis, a variable, {folder} (the step's own) or another step's
  // folder, {step} or {step:axis=value}. The first is a command of rubric; several commands, one
  // after the other, have && between them.
  std::vector<std::string> command;
  std::vector<std::string> over;    // axes: it is run once for each combination of their values
  std::vector<std::string> reads;   // files that no step makes
  std::vector<std::string> writes;  // files in its folder, which mark it as done
  std::optional<SelectionRule> select;

  bool prints_results() const;  // on stdout; else the command writes its own results.json
  bool runs_over(const std::string& axis) const;
};

// The commands between each && of a step's.
std::vector<std::vector<std::string>> split_commands(const std::vector<std::string>& words);

struct PaperValue {
  double value;
  int decimals;  // as printed
  std::string text;
};

struct Cell {
  std::string row, column, where;
  std::string step, value;          // a JSON pointer with {…} into the step's results.json
  std::vector<Bindings> bindings;   // of axes and variables; the mean over them where several
  bool in_paper = true;             // false: the row is ours alone, and has no paper:
  std::optional<PaperValue> paper;  // nothing: not in our copy of the paper
  double scale = 1;                 // of what the results hold: 100 for percentages
  bool is_p = false;                // a p value, which is shown as such
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
  std::filesystem::path output;  // where each step has its folder; tables share steps
  std::string stand_in;          // what replaces the paper's data and model: then no verdicts
  std::vector<std::string> notes;
  Bindings variables;
  Bindings sources;        // by variable: how to get the data that lie there
  std::vector<Axis> grid;  // `seeds:` too
  std::vector<Step> steps;
  std::vector<Cell> cells;

  std::string name() const { return file.stem().string(); }
  const Step* find_step(const std::string& name) const;
  const Axis* find_axis(const std::string& name) const;
};

// Reads and checks the file. Throws InputError with file:line: an unknown key, step, axis or
// variable (and the nearest), a step that needs itself, a cell without a step or twice, an axis
// without values.
Experiment read_experiment(const std::filesystem::path& file);

}  // namespace rubric::eval
