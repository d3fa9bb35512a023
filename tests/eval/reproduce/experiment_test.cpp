#include "eval/reproduce/experiment.h"

#include <gtest/gtest.h>

#include "cli/reproduce/reproduce.h"
#include "eval/reproduce/experiment_example.h"
#include "messages.h"

namespace rubric::eval {
namespace {

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

struct Mistake {
  std::string from, to;
  int line;  // of the file
  std::string says;
};

TEST(Experiment, RefusesMistakesWithTheirLine) {
  const TemporaryFolder folder;
  const std::string good = example_text(folder.path().string());
  const std::vector<Mistake> mistakes = {
      {"variables: {", "sources: {date: x}\nvariables: {", 3, "no variable called date"},
      {"title:", "titel:", 1, "did you mean title?"},
      {"seeds: [1, 2]", "seeds: []", 7, "seeds is empty"},
      {"seeds: [1, 2]", "seeds: [1, 1]", 7, "seeds has 1 twice"},
      {"command: train", "command: trian", 9, "did you mean train?"},
      {"    writes:", "    wirtes:", 18, "did you mean writes?"},
      {"over: [set, seed]", "over: [sets, seed]", 14, "did you mean set?"},
      {"{train}/model", "{tarin}/model", 14, "did you mean train?"},
      {"{train}/model", "{train:rates=1}/model", 14, "no axis of train called \"rates\""},
      {"{train}/model", "{train:rate=3.0e-5}/model", 14, "no value of rate called \"3.0e-5\""},
      {"    select: {axis: rate, highest: /best/value}\n", "", 13, "leaves rate of {train} open"},
      {"{data}/train.json", "{dat}/train.json", 9, "did you mean data?"},
      {"highest:", "higest:", 13, "did you mean highest?"},
      {"axis: rate", "axis: seed", 9, "selects seed"},
      {"    step: evaluate\n", "", 30, "have no step"},
      {"    step: evaluate\n", "    step: evaluat\n", 30, "did you mean evaluate?"},
      {"row: size", "row: LERC", 35, "the cell LERC/A occurs twice"},
      {"column: A", "column: a", 36, "there is no column"},
      {"[0.50, null, 0.6]", "[0.50, null]", 33, "2 values for 3 columns"},
      {"[0.50, null, 0.6]", "[0.50, null, x]", 33, "expected a number"},
      {"{B: a note}", "{D: a note}", 34, "no column D"},
      {"A: {set: a}", "A: {}", 30, "leaves set of the step evaluate open"},
      {"A: {set: a}", "A: {set: c}", 30, "no value of set called \"c\""},
      {"{set}/pearson", "{sett}/pearson", 30, "did you mean set?"},
      {"step: evaluate", "step: score", 30, "the step score writes no results.json"},
      {"evaluate mocha --scores {score}/scored.json", "generate --output {folder}/gaps.jsonl", 19,
       "does not say what it writes"},
      {"evaluate mocha --scores {score}/scored.json",
       "generate --output {folder}/gaps.jsonl\n    writes: [gaps.jsonl]", 31,
       "evaluate writes no results.json"},
      {"    paper: [0.50, null, 0.6]\n", "    kind: p\n", 30, "averages several p values"},
      {"step: count", "step: count\n    minus: coutn", 35, "did you mean count?"},
      {"step: count", "step: count\n    minus: score", 35, "the step score writes no results.json"},
      {"step: count", "step: count\n    minus: evaluate", 35, "runs over the seeds"},
      {"--config lerc.yaml", "--config=lerc.yaml", 9, "in one word"},
      {"--config lerc.yaml", "-o lerc.yaml", 9, "an option's short name"},
      {"score lerc --model {train}/model", "score --model {train}/model lerc", 14,
       "does not begin with its metrics"},
      {"command: score", "command: judge --import a && score", 14, "joins score with another"},
      {"command: score lerc", "command: judge --import a && jugde", 14, "did you mean judge?"},
      {"command: score lerc", "command: judge --import a && && judge", 14, "called \"\""},
  };
  for (const Mistake& mistake : mistakes) {
    ASSERT_TRUE(holds(good, mistake.from)) << mistake.from;
    const std::string file =
        folder.write("bad.yaml", replaced(good, mistake.from, mistake.to)).string();
    const std::string error = input_error([&] { read_experiment(file, cli::step_commands()); });
    expect_contains(error, mistake.says);
    expect_contains(error, file + ":" + std::to_string(mistake.line));
  }
}

TEST(Experiment, RefusesAStepThatNeedsItself) {
  const TemporaryFolder folder;
  const std::string steps = replaced(kExampleSteps, "--config lerc.yaml",
                                     "--config lerc.yaml --set model.name={score}/model");
  const std::string error = input_error([&] { example(folder, steps); });
  expect_contains(error, "train → score → train");
  expect_contains(error, "experiment.yaml:9");
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

}  // namespace
}  // namespace rubric::eval
