// `train` with the task multiple_choice: the run directory, what it refuses, and interruptions. The
// loop is LERC's (train_command_test, train_interruption_test); here is what the task adds.
#include <cmath>
#include <thread>

#include "measured.h"
#include "train/ranks_command.h"

namespace rubric::cli::choice_command_test {

// A few short questions in BoolQ's format.
std::string small_boolq(int rows, const std::string& day = "") {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    Json row;
    row["question"] = i % 3 == 0 ? "was the bread fresh" : "did she walk to the market";
    row["answer"] = i % 2 == 0;
    row["passage"] = "Maria walked to the market ." + day;
    text += row.dump() + "\n";
  }
  return text;
}

struct ChoiceRun : TrainCommand {
  ChoiceRun() {
    write_file(file("boolq_train.jsonl"), small_boolq(40));
    write_file(file("boolq_dev.jsonl"), small_boolq(12, " Today ."));
  }

  Arguments choice(const std::string& run, const Arguments& more = {}) const {
    Arguments arguments = {"train", "--config", "sample_pretrain.yaml", "--output", file(run)};
    for (const std::string& value :
         {"model.name=" + file("encoder"), std::string("data.max_length=64"),
          std::string("questions.mctest.train=[]"), std::string("questions.mctest.dev=[]"),
          std::string("questions.multirc.train=[]"), std::string("questions.multirc.dev=[]"),
          "questions.boolq.train=[" + file("boolq_train.jsonl") + "]",
          "questions.boolq.dev=[" + file("boolq_dev.jsonl") + "]", std::string("threads=1"),
          std::string("batches.size=8"), std::string("batches.max_tokens=120"),
          std::string("run.epochs=20"), std::string("run.checkpoint_every=3")}) {
      arguments.insert(arguments.end(), {"--set", value});
    }
    return arguments + more;
  }

  void wait_for_updates(const Process& process, const std::string& run, int64_t updates) const {
    const std::string log = file(run + "/log.jsonl");
    while (!process.ended()) {
      if (fs::exists(log)) {
        const std::string text = read_file(log);
        if (std::count(text.begin(), text.end(), '\n') > updates) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST_F(ChoiceRun, LeavesAModelThatFineTuningStartsFrom) {
  const Outcome outcome = done(run(choice("runs/pre", {"--set", "run.epochs=2"})));
  EXPECT_TRUE(holds(outcome.err, "train: 40 questions (boolq/boolq_train.jsonl 40)"))
      << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "dev accuracy ")) << outcome.err;
  const Json results = Json::parse_file(file("runs/pre/results.json"));
  EXPECT_GT(value_of(results, "accuracy"), 0);
  EXPECT_EQ(value_of(results, "accuracy", {.group = "boolq/boolq_dev.jsonl"}),
            value_of(results, "accuracy"));
  EXPECT_TRUE(holds(read_file(file("runs/pre/model/rubric.yaml")), "task: multiple_choice"));
  // The dev loss is the mean of the negative log-probabilities of the labels.
  double loss = 0, rows = 0;
  LineReader predicted(file("runs/pre/predictions/dev.jsonl"));
  for (std::string line; predicted.next(line); ++rows) {
    const Json row = Json::parse(line, predicted.where());
    loss -= std::log(
        row.require("probabilities", "").require_number(row.require_string("label", ""), ""));
  }
  EXPECT_NEAR(value_of(results, "dev_loss"), loss / rows, 1e-9);
  done(run(train("runs/lerc",
                 {"--set", "model.name=" + file("runs/pre/model"), "--set", "run.epochs=1"})));
  EXPECT_TRUE(holds(read_file(file("runs/lerc/model/rubric.yaml")), "task: lerc"));
  expect_message(run({"score", "lerc", "--model", file("runs/pre/model"), "--input",
                      file("dev.json"), "--output", file("scored.json")}),
                 2, {"trained for multiple_choice, not for lerc"});
}

TEST_F(ChoiceRun, RanksGiveTheSameRun) {
  const Arguments settings = {"--set", "run.epochs=3"};
  expect_done(run_on(1, choice("ranks1/run", settings)));
  for (const size_t size : {2U, 4U}) {
    const std::string name = "ranks" + std::to_string(size) + "/run";
    expect_done(run_on(size, choice(name, settings)));
    expect_same_run(file(name), file("ranks1/run"), 21);
  }
}

// Killed, stopped, and gone on with: as if nothing had happened.
TEST_F(ChoiceRun, GoesOnBitForBit) {
  const auto without_checkpoints = [](std::map<std::string, std::string> files) {
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("checkpoints/"); });
    return files;
  };
  const Arguments longer = {"--set", "run.epochs=100"};  // not over before the stop
  ASSERT_EQ(run(choice("whole/run", longer)).code, 0);
  {
    Process process(choice("stopped/run", longer));
    wait_for_updates(process, "stopped/run", 10);
    process.send(SIGKILL);
    process.wait();
  }
  {
    Process process(choice("stopped/run", longer));
    wait_for_updates(process, "stopped/run", 20);
    process.send(SIGTERM);
    expect_message(process.wait(), 75, {"stopped on request after update"});
  }
  const Outcome outcome = run(choice("stopped/run", longer));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "resuming after update")) << outcome.err;
  expect_equal(without_checkpoints(outcome_of("stopped/run")),
               without_checkpoints(outcome_of("whole/run")));
}

TEST_F(ChoiceRun, ADryRunShowsTheSizesAndTouchesNothing) {
  const auto before = folder_.names();
  const Outcome outcome =
      run(choice("runs/run", {"--dry-run", "--set", "questions.max_passage=3"}));
  expect_message(outcome, 2, {"no pair of answers is left", "40 questions dropped"});
  const Outcome fitting = done(run(choice("runs/run", {"--dry-run"})));
  EXPECT_TRUE(holds(fitting.out, "# train: 40 questions (boolq/boolq_train.jsonl 40), "))
      << fitting.out;
  EXPECT_TRUE(holds(fitting.out, "0 questions dropped; dev: 12 questions")) << fitting.out;
  EXPECT_EQ(folder_.names(), before);
}

TEST_F(ChoiceRun, WhatItDoesNotReadAndWhatIsMissingIsNamed) {
  const std::pair<Arguments, std::vector<std::string>> kCases[] = {
      {{"--set", "data.train=x.json"}, {"multiple_choice does not read", "data.train"}},
      {{"--set", "data.hold_out=[drop]"}, {"multiple_choice does not read", "data.hold_out"}},
      {{"--set", "questions.boolq.train=[]"}, {"no file is named", "questions.mctest.train"}},
      {{"--set", "questions.race.dev=[nowhere]"},
       {"data is missing", "questions.race.dev: looked at ", "/nowhere", "--set KEY=[]"}},
      {{"--set", "questions.race.dev=[nowhere]", "--set", "model.name=absent"},
       {"error: data is missing", "\nalso: the model \"absent\" is not on this machine"}},
      {{"--set", "questions.boolq.tain=[x]"}, {"did you mean questions.boolq.train?"}}};
  for (const auto& [more, parts] : kCases) expect_message(run(choice("runs/run", more)), 2, parts);
  expect_message(run(train("runs/run", {"--set", "questions.race.dev=[x]"})), 2,
                 {"the task lerc does not read", "questions.race.dev"});
  write_file(file("boolq_dev.jsonl"), small_boolq(2) + "{\"question\": \"q\"}\n");
  expect_message(run(choice("runs/run")), 2, {"\"passage\" is missing", "boolq_dev.jsonl:3"});
  EXPECT_FALSE(fs::exists(file("runs")));
}

TEST_F(ChoiceRun, AnotherConfigurationOrOtherFilesAreAnotherRun) {
  ASSERT_EQ(run(choice("runs/run", {"--set", "run.epochs=1"})).code, 0);
  expect_message(
      run(choice("runs/run", {"--set", "run.epochs=1", "--set",
                              "questions.boolq.dev=[" + file("boolq_train.jsonl") + "]"})),
      2, {"questions.boolq.dev is [", "boolq_dev.jsonl", "boolq_train.jsonl"});
  write_file(file("boolq_train.jsonl"), small_boolq(41));
  expect_message(run(choice("runs/run", {"--set", "run.epochs=1"})), 2,
                 {"the file of questions.boolq.train has changed"});
}

TEST_F(ChoiceRun, PrepareHasNothingToDo) {
  Arguments prepare = {"prepare", "--config", "sample_pretrain.yaml", "--set",
                       "model.name=" + file("encoder")};
  expect_message(run(prepare), 2, {"multiple_choice keeps no token store", "run train directly"});
}

}  // namespace rubric::cli::choice_command_test
