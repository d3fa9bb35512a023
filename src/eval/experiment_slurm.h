// An experiment's missing runs as Slurm job arrays.
#pragma once

#include <string>

#include "eval/experiment_run.h"

namespace rubric {

// A shell script that submits one job array for each step of which runs are missing (several for a
// step where one array would need itself), each after those it needs; an array starts when they
// have ended well, and is cancelled when a task of theirs failed: after correcting it, a new script
// submits what is missing then. Each task is `program reproduce FILE --only RUN`, which selects,
// resumes and records as it does on one machine.
std::string slurm_script(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, const std::string& program);

}  // namespace rubric
