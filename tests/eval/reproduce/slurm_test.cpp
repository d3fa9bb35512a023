#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "cli/reproduce/reproduce.h"
#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/run.h"
#include "messages.h"
#include "paths.h"
#include "rubric/version.h"

namespace rubric::eval {
namespace {

namespace fs = std::filesystem;

// Of a start that only looks where nothing is done and nothing is missing.
ExperimentOutcome all_to_run(const Plan& plan) {
  return {std::vector<RunStatus>(plan.runs.size()), {}};
}

// Runs the script with a function in the place of sbatch. Returns bash's exit status: not 0 when an
// array depends on a job that has not been submitted.
int submit(const TemporaryFolder& folder, const std::string& script) {
  const fs::path file = folder.write("submit.sh", "sbatch() { echo 17; }\n" + script);
  return std::system(("bash " + file.string() + " > " + folder.file("printed")).c_str());
}

TEST(SlurmScript, SubmitsAnArrayAStepBehindThoseItNeeds) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  const std::string script = slurm_script(
      experiment, plan, carry_out(experiment, plan, find_missing_inputs(experiment, plan), {}),
      "/opt/it's/rubric");
  const std::string logs = folder.file("runs") + "/slurm/%x-%A_%a.log";
  expect_says(script, {"job1=$(sbatch --parsable --job-name=experiment-train --array=0-7 "
                       "--output=" +
                           logs + " <<'JOB'\n",
                       "job2=$(sbatch --parsable --job-name=experiment-score --array=0-3 "
                       "--output=" +
                           logs + " --dependency=afterok:$job1 --kill-on-invalid-dep=yes <<'JOB'\n",
                       " --dependency=afterok:$job2 --kill-on-invalid-dep=yes <<'JOB'\n",
                       "  train/set=a,rate=1.0e-5,seed=1\n",
                       "exec '/opt/it'\\''s/rubric' reproduce " + folder.file("experiment.yaml") +
                           " --only \"${runs[$SLURM_ARRAY_TASK_ID]}\"\n",
                       "job4="});
  EXPECT_FALSE(holds(script, "job5="));
}

TEST(SlurmScript, AJobThatAnotherBuildSubmittedIsRefused) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  const fs::path program = folder.file("rubric");
  const std::string script = slurm_script(
      experiment, plan, carry_out(experiment, plan, find_missing_inputs(experiment, plan), {}),
      program.string());
  const size_t begin = script.find("<<'JOB'\n") + 8, end = script.find("\nJOB\n", begin);
  const fs::path job = folder.write("job.sh", script.substr(begin, end - begin));
  for (const auto& [version, code] : {std::pair<std::string, int>{"rubric 0.1.0+0123456789ab", 2},
                                      {"rubric " + version_with_build(), 0}}) {
    folder.write("rubric", "#!/bin/sh\necho '" + version + "'\n");
    fs::permissions(program, fs::perms::owner_all);
    const int status =
        std::system(("SLURM_ARRAY_TASK_ID=0 bash " + job.string() + " > /dev/null 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), code) << version;
  }
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
  EXPECT_FALSE(holds(script, "  train/"));
  expect_contains(script,
                  "job1=$(sbatch --parsable --job-name=experiment-score --array=0-3 "
                  "--output=" +
                      folder.file("runs") + "/slurm/%x-%A_%a.log <<'JOB'\n");
}

// The first run of evaluate needs rows_a, a later one rows_b: in the plan evaluate comes before
// rows_b.
TEST(SlurmScript, SubmitsAnArrayAfterAllThatItsRunsNeed) {
  const TemporaryFolder folder;
  const Experiment experiment = example(
      folder, replaced(kExampleSteps, "evaluate mocha --scores {score}/scored.json",
                       "evaluate mocha --scores {score}/scored.json --data {rows_{set}}/rows") +
                  "  rows_a: {command: \"split {data}/dev.json\", writes: [rows]}\n"
                  "  rows_b: {command: \"split {data}/train.json\", writes: [rows]}\n");
  const Plan plan = make_plan(experiment, "");
  const std::string script = slurm_script(experiment, plan, all_to_run(plan), "rubric");
  EXPECT_EQ(submit(folder, script), 0) << script;
  expect_contains(script, "job5=$(sbatch --parsable --job-name=experiment-evaluate --array=0-3 ");
  expect_contains(script, " --dependency=afterok:$job2:$job3:$job4 --kill-on-invalid-dep=yes ");
}

// The plan's runs follow each other, but train needs score and score needs train.
TEST(SlurmScript, SplitsAStepOfWhichARunNeedsAStepThatNeedsAnother) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Step* const train = experiment.find_step("train");
  const Step* const score = experiment.find_step("score");
  const Plan plan = {{{train, {}, "train/first", "", {}},
                      {score, {}, "score/first", "", {0}},
                      {train, {}, "train/second", "", {1}},
                      {train, {}, "train/third", "", {}}},
                     {},
                     {}};
  const std::string script = slurm_script(experiment, plan, all_to_run(plan), "rubric");
  EXPECT_EQ(submit(folder, script), 0) << script;
  expect_says(script, {"runs=(\n  train/first\n  train/third\n)",
                       "--dependency=afterok:$job1 --kill-on-invalid-dep=yes <<'JOB'\n"
                       "#!/usr/bin/env bash\nruns=(\n  score/first\n)",
                       "--dependency=afterok:$job2 --kill-on-invalid-dep=yes <<'JOB'\n"
                       "#!/usr/bin/env bash\nruns=(\n  train/second\n)"});
}

TEST(SlurmScript, OfEachShippedExperimentCanBeSubmitted) {
  const TemporaryFolder folder;
  int count = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(source_folder()) + "/experiments")) {
    const std::string name = entry.path().filename();
    const bool is_part = name == "steps.yaml" || name == "statements.yaml" || name == "sample.yaml";
    if (entry.path().extension() != ".yaml" || is_part) continue;
    Experiment experiment = read_experiment(entry.path(), cli::step_commands());
    experiment.output = folder.path() / "runs";
    const Plan plan = make_plan(experiment, "");
    const std::string script = slurm_script(experiment, plan, all_to_run(plan), "rubric");
    EXPECT_EQ(submit(folder, script), 0) << entry.path() << "\n" << script;
    ++count;
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace rubric::eval
