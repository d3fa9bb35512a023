// What an experiment's steps read and no step makes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/yaml.h"
#include "eval/reproduce/plan.h"

namespace rubric::eval {

struct RunInputs {
  std::string configuration;  // of train, resolved: "a.b=v" a line; "" of other commands
  std::vector<std::filesystem::path> files;  // that the step lists
  // The files of each model, by the name under which the command or its configuration has it.
  std::map<std::string, std::vector<std::filesystem::path>> models;
  std::vector<std::filesystem::path> meteor;  // METEOR's data, where it is scored
  std::vector<std::string> missing_files;     // of those that the step lists
  std::vector<std::string> missing_others;    // what is said of models and of METEOR's data
};

// Models in the experiment's own folder are other steps', and left out. Throws InputError as
// configuration_of() does.
RunInputs inputs_of(const Experiment& experiment, const StepRun& run, const FilledStep& filled);

// How to get a file that lies at a variable's value, or below it; "" where the experiment does not
// say.
std::string source_of(const Experiment& experiment, const std::string& file);

// Why the run cannot be made, and how to get the first file; "" where nothing is missing.
std::string missing_text(const Experiment& experiment, const RunInputs& inputs);

std::vector<std::filesystem::path> all_files(const RunInputs& inputs);

// The configuration that a train command names, resolved. Throws InputError: at the step's
// file:line when there is none, else as load_layers() does.
config::Yaml configuration_of(const Step& step, const std::vector<std::string>& command);

// What an experiment's steps would read and is not there, and what is then of no use.

struct MissingInputs {
  // All that is missing, each once: the files of one source a line with how to get them, and the
  // messages of models and of METEOR's data.
  std::vector<std::string> missing;
  // By run of the plan: why nothing that was asked for could use it; "" where something can.
  std::vector<std::string> of_no_use;
};

// A run is of use when a cell of which no run lacks anything needs it, or a run asked for by name.
// Throws InputError for a missing configuration.
MissingInputs find_missing_inputs(const Experiment& experiment, const Plan& plan);

}  // namespace rubric::eval
