#include "eval/reproduce/experiment.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "cli/reproduce/reproduce.h"
#include "eval/reproduce/experiment_example.h"
#include "messages.h"

namespace rubric::eval::experiment_test {

TEST(Experiment, ReadsStepsAndCells) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  EXPECT_EQ(experiment.name(), "experiment");
  ASSERT_EQ(experiment.steps.size(), 4u);
  const Step& train = experiment.steps[0];
  EXPECT_EQ(train.command.size(), 9u);
  EXPECT_EQ(train.over, (std::vector<std::string>{"set", "rate", "seed"}));
  EXPECT_EQ(train.writes, std::vector<std::string>{"results.json"});
  ASSERT_TRUE(train.select);
  EXPECT_EQ(train.select->pointer, "/best/value");
  EXPECT_FALSE(train.select->lowest);
  EXPECT_FALSE(train.declared.back().prints_results);
  EXPECT_TRUE(experiment.steps[2].declared.back().prints_results);
  EXPECT_EQ(experiment.find_axis("seed")->values, (std::vector<std::string>{"1", "2"}));
}

TEST(Experiment, SpreadsARowOverTheColumns) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder);
  ASSERT_EQ(experiment.cells.size(), 4u);
  const Cell& first = experiment.cells[0];
  EXPECT_EQ(first.name(), "LERC/A");
  ASSERT_TRUE(first.paper);
  EXPECT_EQ(first.paper->value, 0.5);
  EXPECT_EQ(first.paper->decimals, 2);
  EXPECT_EQ(first.paper->text, "0.50");
  EXPECT_FALSE(experiment.cells[1].paper);
  EXPECT_EQ(experiment.cells[1].note, "a note");
  EXPECT_EQ(experiment.cells[2].bindings.size(), 2u);  // the mean over a and b
  EXPECT_EQ(experiment.cells[3].name(), "size/A");
  EXPECT_EQ(experiment.cells[3].paper->decimals, 0);
}

TEST(Experiment, TheScaleOfAColumnIsThatOfItsCells) {
  const TemporaryFolder folder;
  const Experiment experiment = example(folder, kExampleSteps, R"(
columns:
  share: {set: a, scale: 100}
  count: {set: b}
cells:
  - {row: LERC, step: evaluate, value: "/n/{set}", scale: 2}
)");
  ASSERT_EQ(experiment.cells.size(), 2u);
  EXPECT_EQ(experiment.cells[0].scale, 100);
  EXPECT_EQ(experiment.cells[0].bindings, (std::vector<Bindings>{{{"set", "a"}}}));
  EXPECT_EQ(experiment.cells[1].scale, 2);
}

TEST(Experiment, RefusesMistakesWithTheirLine) {
  const TemporaryFolder folder;
  const std::string good = example_text(folder.path().string());
  for (const auto& [from, to, line, says] : cases<std::string, std::string, int, std::string>(
           "eval/reproduce/experiment_mistakes.json", "mistakes")) {
    ASSERT_TRUE(holds(good, from)) << from;
    const std::string file = folder.write("bad.yaml", replaced(good, from, to)).string();
    const std::string error = input_error([&] { read_experiment(file, cli::step_commands()); });
    expect_says(error, {says, file + ":" + std::to_string(line)});
  }
}

TEST(Experiment, RefusesAStepThatNeedsItself) {
  const TemporaryFolder folder;
  const std::string steps = replaced(kExampleSteps, "--config lerc.yaml",
                                     "--config lerc.yaml --set model.name={score}/model");
  const std::string error = input_error([&] { example(folder, steps); });
  expect_says(error, {"train → score → train", "experiment.yaml:9"});
}

TEST(Experiment, WantsStepsAndCells) {
  const TemporaryFolder folder;
  expect_contains(input_error([&] { example(folder, kExampleSteps, ""); }), "no cells");
  expect_contains(input_error([&] { example(folder, "\n"); }), "no steps");
}

TEST(Experiment, IncludedFilesShareSteps) {
  const TemporaryFolder folder;
  example(folder);
  const auto file =
      folder.write("twin.yaml", "include: experiment.yaml\nseeds: [7]\nstand_in: a sample\n");
  const Experiment twin = read_experiment(file, cli::step_commands());
  EXPECT_EQ(twin.find_axis("seed")->values, std::vector<std::string>{"7"});
  EXPECT_EQ(twin.substitute, "a sample");
  EXPECT_EQ(twin.cells.size(), 4u);
}

}  // namespace rubric::eval::experiment_test
