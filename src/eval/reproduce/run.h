// Carries out the missing runs behind an experiment's cells, here or as Slurm job arrays.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "eval/reproduce/inputs.h"
#include "eval/reproduce/plan.h"

namespace rubric::eval {

inline constexpr const char* kScoreSummary = "summary.json";  // of metrics: mean, signature

enum class RunState {
  done,     // by an earlier start
  made,     // by this start
  to_run,   // in a dry run
  not_run,  // a file or a needed run is missing, or nothing can use the result
  failed
};

struct RunStatus {
  RunState state = RunState::to_run;
  std::string why;                   // for the last three
  std::vector<std::string> command;  // as far as known
  double seconds = 0;                // if made by this start

  bool is_done() const { return state == RunState::done || state == RunState::made; }
};

struct ExperimentOutcome {
  std::vector<RunStatus> runs;  // by run of the plan
  std::vector<SelectedValue> selections;
};

// Runs a rubric command with its standard streams in these files, and returns its exit status.
using StartCommand = std::function<int(const std::vector<std::string>& command,
                                       const std::string& output, const std::string& errors)>;

// Goes through the plan in order and starts what is missing with `start`, one run after the other.
// When a run fails, the runs and selections that need it are skipped, and the others continue. Each
// run of `score` writes its summary (kScoreSummary) into its directory. Without `start` nothing is
// changed (a dry run). Throws Interrupted after a stop request, which the running command receives
// too.
ExperimentOutcome carry_out(const Experiment& experiment, const Plan& plan,
                            const MissingInputs& missing_inputs, const StartCommand& start);

// Slurm.

// Returns a shell script that submits one job array for each step with missing runs. An array
// starts when those that it needs have succeeded, and is cancelled when one of their tasks failed;
// a new script then submits what is still missing. Each task is `program reproduce FILE --only
// RUN`, which selects, resumes and records as it does on one machine.
std::string slurm_script(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, const std::string& program);

}  // namespace rubric::eval
