#include "eval/reproduce/plan.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cli/reproduce/reproduce.h"
#include "eval/reproduce/experiment_example.h"
#include "messages.h"

namespace rubric::eval::plan_test {

using Names = std::vector<std::string>;

Names names_of(const Plan& plan) {
  Names names;
  for (const StepRun& run : plan.runs) names.push_back(run.name);
  return names;
}

size_t index_of(const Plan& plan, const std::string& name) {
  const Names names = names_of(plan);
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

TEST(ExperimentPlan, SpreadsStepsOverGridAndSeeds) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  // 2 sets × 2 rates × 2 seeds trained, 2 × 2 scored and evaluated, and the description.
  EXPECT_EQ(plan.runs.size(), 8u + 4 + 4 + 1);
  EXPECT_EQ(plan.runs.front().name, "train/set=a,rate=1.0e-5,seed=1");
  EXPECT_EQ(plan.runs.front().folder, folder.path() / "runs/train/set=a,rate=1.0e-5,seed=1");
  EXPECT_EQ(plan.runs.back().name, "count");
}

TEST(ExperimentPlan, ASelectionNeedsEveryValueAndSeed) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  const size_t score = index_of(plan, "score/set=b,seed=2");
  ASSERT_LT(score, plan.runs.size());
  Names needs;
  for (const size_t need : plan.runs[score].needs) needs.push_back(plan.runs[need].name);
  EXPECT_EQ(needs, (Names{"train/set=b,rate=1.0e-5,seed=1", "train/set=b,rate=1.0e-5,seed=2",
                          "train/set=b,rate=2.0e-5,seed=1", "train/set=b,rate=2.0e-5,seed=2"}));
}

// {rows_{set}}: another step for each set.
TEST(ExperimentPlan, TheNameOfAStepMayHoldAnAxis) {
  const TemporaryFolder folder;
  const std::string steps =
      replaced(kExampleSteps, "evaluate mocha --scores {score}/scored.json",
               "evaluate mocha --data {rows_{set}}/rows --scores {score}/scored.json") +
      "  rows_a: {command: \"split {data}/dev.json\", writes: [rows]}\n"
      "  rows_b: {command: \"split {data}/train.json\", writes: [rows]}\n";
  const Experiment experiment = example(folder, steps);
  const Plan plan = make_plan(experiment, "");
  const StepRun& run = plan.runs.at(index_of(plan, "evaluate/set=b,seed=1"));
  Names needs;
  for (const size_t need : run.needs) needs.push_back(plan.runs[need].name);
  EXPECT_EQ(needs, (Names{"rows_b", "score/set=b,seed=1"}));
  EXPECT_EQ(fill_in(experiment, run).command.at(3), folder.file("runs/rows_b/rows"));
  const std::string wrong = replaced(steps, "  rows_b:", "  row_b:");
  expect_contains(input_error([&] { example(folder, wrong); }),
                  "no step or variable called \"rows_b\"");
}

TEST(ExperimentPlan, WhatARunNeedsComesBeforeIt) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    for (const size_t need : plan.runs[i].needs) EXPECT_LT(need, i);
  }
}

TEST(ExperimentPlan, ACellHasARunForEachOfItsBindingsAndSeeds) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "");
  ASSERT_EQ(plan.cells.size(), 4u);
  const CellRuns& both = plan.cells[2];
  ASSERT_EQ(both.runs.size(), 2u);
  ASSERT_EQ(both.runs[1].size(), 2u);
  EXPECT_EQ(plan.runs[both.runs[1][0]].name, "evaluate/set=b,seed=1");
  EXPECT_EQ(plan.cells[3].runs, (std::vector<std::vector<size_t>>{{plan.runs.size() - 1}}));
}

TEST(ExperimentPlan, OnlySomeCells) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  EXPECT_EQ(names_of(make_plan(experiment, "size")), Names{"count"});
  const Plan plan = make_plan(experiment, "LERC/A");
  ASSERT_EQ(plan.cells.size(), 1u);
  EXPECT_EQ(plan.runs.size(), 4u + 2 + 2);
  EXPECT_EQ(make_plan(experiment, "L*/[AB]").cells.size(), 2u);
  EXPECT_EQ(make_plan(experiment, "A").cells.size(), 2u);  // a column
}

TEST(ExperimentPlan, OnlySomeSteps) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "score/set=a,seed=1");
  EXPECT_TRUE(plan.cells.empty());
  EXPECT_EQ(plan.runs.size(), 4u + 1);
  EXPECT_EQ(plan.runs.back().name, "score/set=a,seed=1");
  EXPECT_EQ(make_plan(experiment, "train").runs.size(), 8u);
  const std::string error = input_error([&] { make_plan(experiment, "scor"); });
  expect_says(error, {"matches \"scor\"", "did you mean score?"});
}

TEST(ExperimentPlan, FillsInFoldersAxesAndVariables) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  const Plan plan = make_plan(experiment, "score/set=b,seed=2");
  const auto chosen = [](const Step& step, const Bindings& bindings) {
    EXPECT_EQ(step.name, "train");
    EXPECT_EQ(bindings, (Bindings{{"set", "b"}, {"seed", "2"}}));
    return std::string("2.0e-5");
  };
  const FilledStep filled = fill_in(experiment, plan.runs.back(), chosen);
  const std::string runs = (folder.path() / "runs").string();
  EXPECT_EQ(filled.command,
            (Names{"score", "lerc", "--model", runs + "/train/set=b,rate=2.0e-5,seed=2/model",
                   "--output", runs + "/score/set=b,seed=2/scored.json"}));
  EXPECT_EQ(filled.reads, Names{folder.file("dev.json")});
  EXPECT_EQ(filled.writes, Names{"scored.json"});
}

TEST(ExperimentPlan, AReferenceMayBindAnAxis) {
  const TemporaryFolder folder;
  const std::string steps = replaced(kExampleSteps, "{train}", "{train:set=a,rate=1.0e-5}");
  const Experiment experiment = example(folder, steps);
  const Plan plan = make_plan(experiment, "score/set=b,seed=2");
  EXPECT_EQ(names_of(plan), (Names{"train/set=a,rate=1.0e-5,seed=2", "score/set=b,seed=2"}));
}

// Values whose characters a folder's or a run's name gives a meaning of its own.
TEST(ExperimentPlan, OtherValuesAreOtherRuns) {
  const TemporaryFolder folder;
  const Experiment experiment = read_experiment(folder.write("experiment.yaml", R"(
title: models
output: runs
grid:
  model: [a/b, a_b, a%2Fb]
  layer: [1, "1,tail=2"]
  tail: [3, "2,tail=3"]
steps:
  describe:
    over: [model, layer, tail]
    command: describe mocha {model} {layer} {tail}
columns:
  slash: {model: a/b, layer: 1, tail: "2,tail=3"}
  line: {model: a_b, layer: 1, tail: 3}
  percent: {model: a%2Fb, layer: "1,tail=2", tail: 3}
  comma: {model: a/b, layer: "1,tail=2", tail: 3}
cells:
  - {row: n, step: describe, value: /n}
)"),
                                                cli::step_commands());
  const Plan plan = make_plan(experiment, "");
  EXPECT_EQ(names_of(plan), (Names{"describe/model=a%2Fb,layer=1,tail=2%2Ctail=3",
                                   "describe/model=a_b,layer=1,tail=3",
                                   "describe/model=a%252Fb,layer=1%2Ctail=2,tail=3",
                                   "describe/model=a%2Fb,layer=1%2Ctail=2,tail=3"}));
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    EXPECT_EQ(plan.runs[i].folder.parent_path(), "runs/describe");
    EXPECT_EQ(plan.cells.at(i).runs, (std::vector<std::vector<size_t>>{{i}}));
  }
  EXPECT_EQ(fill_in(experiment, plan.runs.front()).command.at(2), "a/b");
}

}  // namespace rubric::eval::plan_test
