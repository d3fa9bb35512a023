// An experiment's steps spread over grid and seeds, each after what it needs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "eval/experiment.h"

namespace rubric {

struct StepRun {
  const Step* step;
  Bindings bindings;             // of the step's axes
  std::string name;              // "train_ood/constituent=drop,seed=1"
  std::filesystem::path folder;  // what it writes; its log and record lie beside it
  std::vector<size_t> needs;     // earlier runs of the plan
};

struct CellRuns {
  const Cell* cell;
  std::vector<std::vector<size_t>> runs;  // [one of the cell's bindings][seed]
};

struct Plan {
  std::vector<StepRun> runs;
  std::vector<CellRuns> cells;
  std::vector<size_t> asked;  // runs that were asked for by name; none where cells were
};

// What the cells need that match `only`, or, where none does, the runs that match and what they
// need; everything for "". A pattern with *, ? and [ ] matches a row, a column, "row/column", a
// step or a run's name. Throws InputError when nothing matches.
Plan make_plan(const Experiment& experiment, const std::string& only);

// "train_ood/constituent=drop,seed=1", the axes in the step's order; "describe" without axes. In a
// value "/" is %2F, "," is %2C and "%" is %25, so that other bindings give another name.
std::string run_name(const Step& step, const Bindings& bindings);

// The text of a run's command, words filled in. `chosen` gives the value of the axis that a step
// selects, for a run with these bindings; without it that is told as <axis>.
using ChosenValue = std::function<std::string(const Step& step, const Bindings& bindings)>;
struct FilledStep {
  std::vector<std::string> command, reads, writes;  // writes: below the run's folder
};
FilledStep fill_in(const Experiment& experiment, const StepRun& run,
                   const ChosenValue& chosen = {});

}  // namespace rubric
