// Carries out what is missing behind an experiment's cells.
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
  made,     // by this one
  to_run,   // of a start that only looks
  not_run,  // a file is missing, or a run that it needs, or what would make it of use
  failed
};

struct RunStatus {
  RunState state = RunState::to_run;
  std::string why;                   // of the last three
  std::vector<std::string> command;  // as far as it is known yet
  double seconds = 0;                // of a run that this start made

  bool is_done() const { return state == RunState::done || state == RunState::made; }
};

struct ExperimentOutcome {
  std::vector<RunStatus> runs;  // of the plan's runs
  std::vector<SelectedValue> selections;
};

// Starts a command of rubric, its standard streams in these files, and returns its exit status.
using StartCommand = std::function<int(const std::vector<std::string>& command,
                                       const std::string& output, const std::string& errors)>;

// Goes through the plan in order: what is missing is started with `start`, one after the other.
// When a run fails what needs it is left out, a selection among it and others too; the rest goes
// on. Each run of `score` leaves its summary (kScoreSummary) in its folder.
// Without `start` nothing is touched. Throws Interrupted after a stop request, which the running
// command was given too.
ExperimentOutcome carry_out(const Experiment& experiment, const Plan& plan,
                            const MissingInputs& shortage, const StartCommand& start);

// An experiment's missing runs as Slurm job arrays.

// A shell script that submits one job array for each step of which runs are missing; an array
// starts when those of the steps it needs have ended well, and is cancelled when a task of theirs
// failed: after correcting it, a new script submits what is missing then. Each task is `program
// reproduce FILE
// --only RUN`, which selects, resumes and records as it does on one machine.
std::string slurm_script(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, const std::string& program);

}  // namespace rubric::eval
