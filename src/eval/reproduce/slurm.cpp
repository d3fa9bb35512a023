#include <algorithm>
#include <filesystem>
#include <vector>

#include "eval/reproduce/run.h"

namespace rubric::eval {
namespace {

struct JobArray {
  const Step* step;
  std::vector<std::string> runs;
  std::vector<size_t> needs;  // earlier arrays
};

std::string shell_quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// The arrays of the runs to make, in the plan's order, so that an array comes after those that it
// needs.
std::vector<JobArray> job_arrays(const Plan& plan, const ExperimentOutcome& outcome) {
  std::vector<JobArray> arrays;
  const auto array_of = [&](const Step* step) {
    return static_cast<size_t>(
        std::find_if(arrays.begin(), arrays.end(), [&](auto& a) { return a.step == step; }) -
        arrays.begin());
  };
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    if (outcome.runs[i].state != RunState::to_run) continue;
    const size_t own = array_of(plan.runs[i].step);
    if (own == arrays.size()) arrays.push_back({plan.runs[i].step, {}, {}});
    arrays[own].runs.push_back(plan.runs[i].name);
    for (const size_t need : plan.runs[i].needs) {
      const size_t other = array_of(plan.runs[need].step);
      auto& needs = arrays[own].needs;
      if (other != arrays.size() && std::find(needs.begin(), needs.end(), other) == needs.end()) {
        needs.push_back(other);
      }
    }
  }
  return arrays;
}

std::string submission(const std::string& command, const std::string& title,
                       const std::string& logs, size_t number, const JobArray& array) {
  std::string dependency = array.needs.empty() ? "" : " --dependency=afterok";
  for (const size_t need : array.needs) dependency += ":$job" + std::to_string(need + 1);
  // Otherwise arrays that depend on a failed task would stay in the queue forever.
  if (!array.needs.empty()) dependency += " --kill-on-invalid-dep=yes";
  std::string text = "\njob" + std::to_string(number) + "=$(sbatch --parsable --job-name=" +
                     shell_quote(title + "-" + array.step->name) + " --array=0-" +
                     std::to_string(array.runs.size() - 1) + " --output=" + shell_quote(logs) +
                     dependency + " <<'JOB'\n#!/usr/bin/env bash\nruns=(\n";
  for (const std::string& run : array.runs) text += "  " + shell_quote(run) + "\n";
  return text + ")\nexec " + command + " --only \"${runs[$SLURM_ARRAY_TASK_ID]}\"\nJOB\n)\n";
}

}  // namespace

std::string slurm_script(const Experiment& experiment, const Plan& plan,
                         const ExperimentOutcome& outcome, const std::string& program) {
  const std::string command = shell_quote(program) + " reproduce " +
                              shell_quote(std::filesystem::absolute(experiment.file).string());
  const std::string folder = (experiment.output / "slurm").string();
  const std::vector<JobArray> arrays = job_arrays(plan, outcome);
  std::string script =
      "#!/usr/bin/env bash\n# Submits what is missing of " + experiment.file.string() +
      ", a job array a step. Partition, time and GPUs:\n# sbatch reads them from SBATCH_PARTITION, "
      "SBATCH_TIMELIMIT, SBATCH_GPUS and so on.\nset -euo pipefail\ncd " +
      shell_quote(std::filesystem::current_path().string()) + "\nmkdir -p " + shell_quote(folder) +
      "\n";
  for (size_t i = 0; i < arrays.size(); ++i) {
    script += submission(command, experiment.name(), folder + "/%x-%A_%a.log", i + 1, arrays[i]);
  }
  return script + "\necho " +
         shell_quote(std::to_string(arrays.size()) +
                     " job arrays submitted; when they have ended, this prints the table, or what "
                     "failed: " +
                     command) +
         "\n";
}

}  // namespace rubric::eval
