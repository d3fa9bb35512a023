#include <gtest/gtest.h>

#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/run.h"
#include "messages.h"

namespace rubric::eval {
namespace {

TEST(SlurmScript, SubmitsAnArrayAStepBehindThoseItNeeds) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  const std::string script = slurm_script(
      experiment, plan, carry_out(experiment, plan, find_missing_inputs(experiment, plan), {}),
      "/opt/it's/rubric");
  const std::string logs = folder.file("runs") + "/slurm/%x-%A_%a.log'";
  expect_contains(script,
                  "job1=$(sbatch --parsable --job-name='experiment-train' --array=0-7 "
                  "--output='" +
                      logs + " <<'JOB'\n");
  expect_contains(script,
                  "job2=$(sbatch --parsable --job-name='experiment-score' --array=0-3 "
                  "--output='" +
                      logs + " --dependency=afterok:$job1 --kill-on-invalid-dep=yes <<'JOB'\n");
  expect_contains(script, " --dependency=afterok:$job2 --kill-on-invalid-dep=yes <<'JOB'\n");
  expect_contains(script, "  'train/set=a,rate=1.0e-5,seed=1'\n");
  expect_contains(script, "exec '/opt/it'\\''s/rubric' reproduce '" +
                              folder.file("experiment.yaml") +
                              "' --only \"${runs[$SLURM_ARRAY_TASK_ID]}\"\n");
  expect_contains(script, "job4=");
  EXPECT_FALSE(holds(script, "job5="));
}

TEST(SlurmScript, LeavesOutWhatIsDone) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  ExperimentOutcome outcome =
      carry_out(experiment, plan, find_missing_inputs(experiment, plan), {});
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    if (plan.runs[i].step->name == "train") outcome.runs[i].state = RunState::done;
  }
  const std::string script = slurm_script(experiment, plan, outcome, "rubric");
  EXPECT_FALSE(holds(script, "'train/"));
  expect_contains(script,
                  "job1=$(sbatch --parsable --job-name='experiment-score' --array=0-3 "
                  "--output='" +
                      folder.file("runs") + "/slurm/%x-%A_%a.log' <<'JOB'\n");
}

}  // namespace
}  // namespace rubric::eval
