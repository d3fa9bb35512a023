#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/system/process.h"
#include "eval/reproduce/run.h"
#include "rubric/version.h"

namespace rubric::eval {
namespace {

using StepRuns = std::vector<size_t>;  // runs of one step of the plan

struct JobArray {
  StepRuns runs;
  std::set<size_t> needs;  // earlier arrays
};

// The runs that are to be made, by step. Steps come in the plan's order.
std::vector<StepRuns> runs_to_make(const Plan& plan, const ExperimentOutcome& outcome) {
  std::vector<StepRuns> steps;
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    if (outcome.runs[i].state != RunState::to_run) continue;
    const auto known = std::ranges::find_if(steps, [&](const StepRuns& runs) {
      return plan.runs[runs.front()].step == plan.runs[i].step;
    });
    if (known == steps.end()) {
      steps.push_back({i});
    } else {
      known->push_back(i);
    }
  }
  return steps;
}

// The arrays of what is to be run, each after all that it needs. A step has one array; it has
// several only where one of its runs needs a step that needs another of its runs.
std::vector<JobArray> job_arrays(const Plan& plan, const ExperimentOutcome& outcome) {
  std::vector<StepRuns> waiting = runs_to_make(plan, outcome);
  std::vector<bool> is_waiting(plan.runs.size());
  for (const StepRuns& runs : waiting) {
    for (const size_t run : runs) is_waiting[run] = true;
  }
  const auto is_ready = [&](size_t run) {
    return std::ranges::none_of(plan.runs[run].needs,
                                [&](size_t need) { return is_waiting[need]; });
  };
  std::vector<JobArray> arrays;
  std::map<size_t, size_t> array_of;  // by run
  while (!waiting.empty()) {
    auto next = std::ranges::find_if(
        waiting, [&](const StepRuns& runs) { return std::ranges::all_of(runs, is_ready); });
    if (next == waiting.end()) {  // steps that need each other: one begins with what is ready
      next = std::ranges::find_if(
          waiting, [&](const StepRuns& runs) { return std::ranges::any_of(runs, is_ready); });
    }
    const auto rest = std::stable_partition(next->begin(), next->end(), is_ready);
    JobArray array{{next->begin(), rest}, {}};
    for (const size_t run : array.runs) {
      for (const size_t need : plan.runs[run].needs) {
        if (const auto made = array_of.find(need); made != array_of.end()) {
          array.needs.insert(made->second);
        }
      }
    }
    for (const size_t run : array.runs) {
      is_waiting[run] = false;
      array_of[run] = arrays.size();
    }
    arrays.push_back(std::move(array));
    next->erase(next->begin(), rest);
    if (next->empty()) waiting.erase(next);
  }
  return arrays;
}

// Each job compares the program with the one that submitted it: tasks that wait while it is rebuilt
// would mix two builds in one table.
std::string version_check(const std::string& program) {
  const std::string version = "rubric " + version_with_build();
  return "version=$(" + program + " --version)\n[ \"$version\" = " + shell_word(version) +
         " ] || {\n  echo \"error: $version is here, the job was submitted by " + version +
         "\" >&2\n  echo '  to do: submit again with this one' >&2\n  exit 2\n}\n";
}

std::string submission(const std::string& program, const std::string& command,
                       const std::string& title, const std::string& logs, const Plan& plan,
                       size_t number, const JobArray& array) {
  std::string dependency = array.needs.empty() ? "" : " --dependency=afterok";
  for (const size_t need : array.needs) dependency += ":$job" + std::to_string(need + 1);
  // Otherwise arrays that depend on a failed task would stay in the queue forever.
  if (!array.needs.empty()) dependency += " --kill-on-invalid-dep=yes";
  std::string text = "\njob" + std::to_string(number) + "=$(sbatch --parsable --job-name=" +
                     shell_word(title + "-" + plan.runs[array.runs.front()].step->name) +
                     " --array=0-" + std::to_string(array.runs.size() - 1) +
                     " --output=" + shell_word(logs) + dependency +
                     " <<'JOB'\n#!/usr/bin/env bash\nruns=(\n";
  for (const size_t run : array.runs) text += "  " + shell_word(plan.runs[run].name) + "\n";
  return text + ")\n" + version_check(program) + "exec " + command +
         " --only \"${runs[$SLURM_ARRAY_TASK_ID]}\"\nJOB\n)\n";
}

}  // namespace

std::string slurm_script(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, const std::string& program) {
  const std::string command = shell_word(program) + " reproduce " +
                              shell_word(std::filesystem::absolute(experiment.file).string());
  const std::string folder = (experiment.output / "slurm").string();
  const std::vector<JobArray> arrays = job_arrays(plan, outcome);
  std::string script =
      "#!/usr/bin/env bash\n# Submits what is missing of " + experiment.file.string() +
      ", a job array a step. Partition, time and GPUs:\n# sbatch reads them from SBATCH_PARTITION, "
      "SBATCH_TIMELIMIT, SBATCH_GPUS and so on.\nset -euo pipefail\ncd " +
      shell_word(std::filesystem::current_path().string()) + "\nmkdir -p " + shell_word(folder) +
      "\n";
  for (size_t i = 0; i < arrays.size(); ++i) {
    script += submission(shell_word(program), command, experiment.name(), folder + "/%x-%A_%a.log",
                         plan, i + 1, arrays[i]);
  }
  return script + "\necho " +
         shell_word(std::to_string(arrays.size()) +
                    " job arrays submitted; when they have ended, this prints the table, or what "
                    "failed: " +
                    command) +
         "\n";
}

}  // namespace rubric::eval
