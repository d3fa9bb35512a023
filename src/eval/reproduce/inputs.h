// The inputs of an experiment's runs that no step writes, which of them are missing, and which runs
// are therefore useless.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "eval/reproduce/plan.h"

namespace rubric::eval {

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
