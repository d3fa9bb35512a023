// The plan of an experiment: its steps expanded over grid and seeds into runs, each after those
// that it needs, and the selection of an axis's value from finished runs.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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
  std::vector<std::vector<size_t>> runs;   // [one of the cell's bindings][seed]
  std::vector<std::vector<size_t>> minus;  // likewise, of the step `minus`; else empty
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

// "train_ood/constituent=drop,seed=1", the axes in the step's order; "describe" without axes. In a
// value "/" is %2F, "," is %2C and "%" is %25, so that other bindings give another name.
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

// Placeholders {…} in an experiment's texts (commands, files, pointers): filling them in, the steps
// that they refer to, and checking that all names exist.

// {name} or {name:axis=value,axis=value}; a name may contain placeholders: {rows_{axis}}
struct Placeholder {
  std::string name;
  Bindings given;
};

// Replaces the placeholders of `text` by their values, inner ones first. Throws InputError at
// `where` for unbalanced braces and for an empty name.
std::string fill_placeholders(std::string_view text, const std::string& where,
                              const std::function<std::string(const Placeholder&)>& value);

// References.

// A step that another step's command names. A reference may leave open at most the axis that the
// other step selects, and its seeds.
struct StepReference {
  const Step* step;
  Bindings given;  // in the reference itself
  bool operator==(const StepReference&) const = default;
};

// The references of the step's run with these values of its axes.
std::vector<StepReference> references_of(const Experiment& experiment, const Step& step,
                                         const Bindings& bindings);

// The value of `axis` for a step that a run with `bindings` refers to; "" if open.
std::string bound_value(const std::string& axis, const Bindings& given, const Bindings& bindings);

// The JSON pointer of a cell with these bindings. Throws InputError for an unknown name.
std::string pointer_of(const Experiment& experiment, const Cell& cell, const Bindings& bindings);

// Throw InputError with the step's or the cell's file:line, and the nearest valid name.
void check_steps(const Experiment& experiment);
void check_cells(const Experiment& experiment);

// The inputs of an experiment's runs that no step writes, which of them are missing, and which runs
// are therefore useless.

struct RunInputs {
  std::string configuration;  // resolved: "a.b=v" a line; "" where the command takes none
  // Listed by the step, or named by its commands, but for those that steps of the experiment write.
  std::vector<std::filesystem::path> files;
  // The files of each model, by its name in the command or the configuration.
  std::map<std::string, std::vector<std::filesystem::path>> models;
  std::vector<std::filesystem::path> meteor;  // METEOR's data, if it is scored
  std::vector<std::string> missing_files;     // of `files`
  std::vector<std::string> missing_others;    // messages about missing models and METEOR data
  bool resumes = false;                       // the command resumes what a stopped call has written
};

// Finds the inputs of a run, except those in directories of the experiment's steps. Throws
// InputError as CommandUse's function does.
RunInputs inputs_of(const Experiment& experiment, const StepRun& run, const FilledStep& filled);

// How to get a file that is at or below a variable's value; "" if the experiment does not say.
std::string source_of(const Experiment& experiment, const std::string& file);

// Why the run cannot be made, and how to get the first missing file; "" if nothing is missing.
std::string missing_text(const Experiment& experiment, const RunInputs& inputs);

std::vector<std::filesystem::path> all_files(const RunInputs& inputs);

// The missing inputs of a plan and the runs that they make useless.

struct MissingInputs {
  // Everything missing, each once: a line for the files of each source (the first of them) with how
  // to get them, and the messages about models and METEOR's data.
  std::vector<std::string> missing;
  // For each run of the plan why nothing requested can use its result; "" if something can.
  std::vector<std::string> of_no_use;
};

// A run is useful when a requested run, or a cell whose runs lack nothing, needs it. Throws
// InputError for a missing configuration.
MissingInputs find_missing_inputs(const Experiment& experiment, const Plan& plan);

}  // namespace rubric::eval
