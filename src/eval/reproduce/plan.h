// The plan of an experiment: its steps expanded over grid and seeds into runs, each after those
// that it needs, and the selection of an axis's value from finished runs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eval/reproduce/experiment.h"

namespace rubric::eval {

struct StepRun {
  const Step* step;
  Bindings bindings;             // for the step's axes
  std::string name;              // "train_ood/constituent=drop,seed=1"
  std::filesystem::path folder;  // its output directory; log and record are beside it
  std::vector<size_t> needs;     // earlier runs of the plan
};

struct CellRuns {
  const Cell* cell;
  std::vector<std::vector<size_t>> runs;  // [one of the cell's bindings][seed]
};

struct Plan {
  std::vector<StepRun> runs;
  std::vector<CellRuns> cells;
  std::vector<size_t> asked;  // runs requested by name; empty if cells were requested
};

// Plans the runs needed by the cells that match `only`, or, if no cell matches, the runs that match
// and what they need; everything for "". A pattern with *, ? and [ ] matches a row, a column,
// "row/column", a step or a run's name. Throws InputError when nothing matches.
Plan make_plan(const Experiment& experiment, const std::string& only);

// "train_ood/constituent=drop,seed=1", the axes in the step's order; "describe" without axes.
std::string run_name(const Step& step, const Bindings& bindings);

// The words of a run with placeholders filled in. `chosen` returns the selected value of a step's
// axis for a run with these bindings; without it the value is shown as <axis>.
using ChosenValue = std::function<std::string(const Step& step, const Bindings& bindings)>;
struct FilledStep {
  std::vector<std::string> command, reads, writes;  // writes: below the run's directory
};
FilledStep fill_in(const Experiment& experiment, const StepRun& run,
                   const ChosenValue& chosen = {});

// Selection.

struct Candidate {
  std::string value;
  std::optional<double> mean;  // the score's mean over the seeds; nothing if undefined for a seed
};

struct SelectedValue {
  std::string step;
  Bindings bindings;  // for the step's other axes except the seeds
  std::string axis, value;
  std::vector<Candidate> candidates;  // in the axis's order
};

// Selects from finished runs by their results.json; the first on a tie. `bindings` binds the step's
// axes except the selected one and the seeds. Throws InputError when the rule's pointer leads
// nowhere, Error when the score is undefined for every value.
SelectedValue select_value(const Experiment& experiment, const Step& step,
                           const Bindings& bindings);

}  // namespace rubric::eval
