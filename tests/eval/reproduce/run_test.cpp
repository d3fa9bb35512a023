#include "eval/reproduce/run.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/terminal.h"
#include "eval/reproduce/experiment_example.h"
#include "messages.h"
#include "metrics/meteor/meteor_folder.h"

namespace rubric::eval::run_test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// The word after `name`.
std::string value_of(const Words& words, const std::string& name) {
  const auto found = std::find(words.begin(), words.end(), name);
  return found == words.end() ? "" : *(found + 1);
}

// An environment variable that has its value again when the test ends, however it ends.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value)
      : name_(name), before_(environment(name)) {
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (before_.empty()) {
      unsetenv(name_);
    } else {
      setenv(name_, before_.c_str(), 1);
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

// Stands in for the commands: each writes what the real one would.
struct CarryOut : testing::Test {
  CarryOut() : experiment_(example(folder_)), plan_(make_plan(experiment_, "")) { set_quiet(true); }
  ~CarryOut() override { set_quiet(false); }

  int start(const Words& command, const std::string& output) {
    started_.push_back(command);
    if (!failing_.empty() && join(command, " ").find(failing_) != std::string::npos) return 3;
    const std::string target = value_of(command, "--output");
    if (command[0] == "train") {
      if (fs::exists(target)) ++trained_again_;
      const std::string figure = target.find("2.0e-5") != std::string::npos ? figure_ : "0.6";
      write(target + "/results.json",
            "{\"best\": {\"value\": " + figure + ", \"undefined\": null}}");
    } else if (command[0] == "score" || command[0] == "judge") {
      write(target, "{}");
    } else {
      write(output, command[1] == "nothing" ? "" : "{}");
    }
    return 0;
  }

  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    write_file(file, text);
  }

  ExperimentOutcome carry_out(bool dry = false) {
    started_.clear();
    StartCommand start_command;
    if (!dry) {
      start_command = [this](const Words& command, const std::string& output, const std::string&) {
        return start(command, output);
      };
    }
    return rubric::eval::carry_out(experiment_, plan_, find_missing_inputs(experiment_, plan_),
                                   start_command);
  }

  static int64_t count(const ExperimentOutcome& outcome, RunState state) {
    return std::count_if(outcome.runs.begin(), outcome.runs.end(),
                         [&](const RunStatus& run) { return run.state == state; });
  }

  const RunStatus& status_of(const std::string& run, const ExperimentOutcome& outcome) const {
    const auto found = std::find_if(plan_.runs.begin(), plan_.runs.end(),
                                    [&](const StepRun& each) { return each.name == run; });
    return outcome.runs.at(static_cast<size_t>(found - plan_.runs.begin()));
  }

  // Why the first run is to be made, as a dry run says.
  std::string first_reason() {
    const ExperimentOutcome outcome = carry_out(true);
    EXPECT_EQ(outcome.runs.front().state, RunState::to_run);
    return outcome.runs.front().why;
  }

  TemporaryFolder folder_;
  Experiment experiment_;
  Plan plan_;
  std::vector<Words> started_;
  std::string failing_;         // what the command that fails holds
  std::string figure_ = "0.7";  // of training at the higher rate
  int trained_again_ = 0;       // trainings that found their folder there
};

TEST_F(CarryOut, RunsEachStepOnce) {
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(started_.size(), 17u);
  EXPECT_EQ(count(outcome, RunState::made), 17);
  ASSERT_EQ(outcome.selections.size(), 2u);  // one a set, not one a seed
  EXPECT_EQ(outcome.selections[0].value, "2.0e-5");
  const auto scored = std::find_if(started_.begin(), started_.end(),
                                   [](const Words& words) { return words[0] == "score"; });
  expect_contains(value_of(*scored, "--model"), "rate=2.0e-5");
}

TEST_F(CarryOut, AsksForResultsAsJson) {
  carry_out();
  EXPECT_EQ(started_.back()[0], "describe");
  EXPECT_EQ(value_of(started_.back(), "--format"), "json");
  EXPECT_TRUE(fs::exists(folder_.path() / "runs/count/results.json"));
}

TEST_F(CarryOut, StartedAgainDoesNothing) {
  carry_out();
  const ExperimentOutcome outcome = carry_out();
  EXPECT_TRUE(started_.empty());
  EXPECT_EQ(count(outcome, RunState::done), 17);
  EXPECT_EQ(outcome.selections.size(), 2u);
}

TEST_F(CarryOut, ADryRunTouchesNothing) {
  const ExperimentOutcome outcome = carry_out(true);
  EXPECT_EQ(count(outcome, RunState::to_run), 17);
  EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
  const auto scored = std::find_if(outcome.runs.begin(), outcome.runs.end(),
                                   [](const RunStatus& run) { return run.command[0] == "score"; });
  expect_contains(value_of(scored->command, "--model"), "rate=<rate>");
}

TEST_F(CarryOut, MakesAgainWhatIsGone) {
  carry_out();
  fs::remove(folder_.path() / "runs/score/set=a,seed=1/scored.json");
  const ExperimentOutcome outcome = carry_out();
  ASSERT_EQ(started_.size(), 1u);
  EXPECT_EQ(started_[0][0], "score");
  EXPECT_EQ(count(outcome, RunState::made), 1);
}

TEST_F(CarryOut, MakesAgainWhatReadAChangedFile) {
  carry_out();
  folder_.write("train.json", "{\"changed\": 1}");
  carry_out();
  EXPECT_EQ(started_.size(), 16u);  // all but the description, which reads dev.json
  EXPECT_EQ(trained_again_, 0);     // train refuses the folder of another run: it is moved aside
  const fs::path folder = plan_.runs.front().folder;
  EXPECT_TRUE(fs::exists(folder.string() + ".outdated/results.json"));
  folder_.write("train.json", "{\"changed\": 2}");
  carry_out();
  EXPECT_TRUE(fs::exists(folder.string() + ".outdated/results.json"));
  EXPECT_TRUE(fs::exists(folder.string() + ".outdated-2/results.json"));
}

TEST_F(CarryOut, MakesAgainWhatDescribedAChangedFile) {
  carry_out();
  folder_.write("dev.json", "{\"changed\": 1}");  // which no `reads:` of the description lists
  EXPECT_EQ(status_of("count", carry_out(true)).state, RunState::to_run);
}

TEST_F(CarryOut, WhatOtherBuildsMadeIsKeptApart) {
  carry_out();
  const StepRun& run = plan_.runs.front();
  for (const std::string build : {"0123456789ab", "ba9876543210"}) {
    Json record = read_record(run);
    record["identity"]["rubric"] = "0.1.0+" + build;
    write_file(record_path(run), record.dump());
    carry_out();
    EXPECT_TRUE(fs::exists(run.folder.string() + ".outdated-" + build + "/results.json")) << build;
  }
}

TEST_F(CarryOut, AnUnfinishedTrainingGoesOnInItsFolder) {
  failing_ = "score lerc";
  carry_out();
  const StepRun& run = plan_.runs.front();
  ASSERT_EQ(run.step->command.front(), "train");
  Json record = read_record(run);
  std::erase_if(record.object(), [](const auto& member) { return member.first == "seconds"; });
  write_file(record_path(run), record.dump());  // as when it was killed
  failing_ = "";
  carry_out();
  EXPECT_EQ(trained_again_, 1);
  EXPECT_FALSE(fs::exists(run.folder.string() + ".outdated"));
}

// What generate, judge and score rev have written is gone on with; other scores are made again.
TEST_F(CarryOut, UnfinishedRowsAreGoneOnWith) {
  for (const auto& [command, is_kept] :
       {std::pair("generate", true), {"judge", true}, {"score rev", true}, {"score lerc", false}}) {
    RunInputs inputs;
    inputs.resumes = cli::step_commands().use_of(words_of(command)).resumes;
    const StepRun run{plan_.runs.front().step, {}, command, folder_.file(command), {}};
    write(run.folder / "rows.jsonl.unfinished", "{}");
    const Json identity = Json::Object{{"command", command}};
    move_outdated_aside(run, inputs, Json::Object{{"identity", identity}}, identity);
    EXPECT_EQ(fs::exists(run.folder), is_kept) << command;
    move_outdated_aside(run, inputs, Json::Object{{"identity", "another"}}, identity);
    EXPECT_FALSE(fs::exists(run.folder)) << command;
  }
}

TEST_F(CarryOut, AFileTouchedIsNotChanged) {
  carry_out();
  fs::last_write_time(folder_.path() / "train.json",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  carry_out();
  EXPECT_TRUE(started_.empty());
}

TEST_F(CarryOut, MakesAgainWhatAnotherCommandMade) {
  carry_out();
  experiment_ = example(folder_, replaced(kExampleSteps, "describe mocha", "describe mocha x"));
  plan_ = make_plan(experiment_, "");
  const ExperimentOutcome outcome = carry_out(true);
  EXPECT_EQ(count(outcome, RunState::done), 16);
  EXPECT_EQ(outcome.runs.back().state, RunState::to_run);
  EXPECT_EQ(outcome.runs.back().why, "the command has changed");
}

TEST_F(CarryOut, MakesAgainWhatAnotherVersionMade) {
  carry_out();
  Json record = read_record(plan_.runs.front());
  record["identity"]["rubric"] = "0.0.1";
  write_file(record_path(plan_.runs.front()), record.dump());
  EXPECT_EQ(first_reason(), "made by another version of rubric");
}

TEST_F(CarryOut, MakesAgainWhatReadAnotherModel) {
  carry_out();
  folder_.write("encoder/model.safetensors", "others");
  EXPECT_EQ(first_reason(), folder_.file("encoder") + " has changed");
  carry_out();
  EXPECT_EQ(started_.size(), 16u);  // all but the description
}

TEST_F(CarryOut, MakesAgainWhatReadOtherDataOfMeteor) {
  const MeteorFolder meteor;
  const ScopedVariable variable("RUBRIC_METEOR", meteor.path().string());
  experiment_ = example(
      folder_,
      replaced(kExampleSteps, "describe mocha {data}/dev.json",
               "score f1,meteor --output {folder}/results.json\n    writes: [results.json]"));
  plan_ = make_plan(experiment_, "count");
  carry_out();
  std::ofstream(meteor.path() / "function/english.words", std::ios::app) << "another\n";
  EXPECT_EQ(first_reason(), "METEOR's data has changed");
  fs::remove(meteor.path() / "function/english.words");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(outcome.runs.back().state, RunState::not_run);
  expect_contains(outcome.runs.back().why, "METEOR's data is not there; where: ");
}

TEST_F(CarryOut, AMissingModelLeavesOutWhatNeedsIt) {
  fs::remove(folder_.path() / "encoder/config.json");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 1);
  EXPECT_EQ(count(outcome, RunState::not_run), 16);
  expect_contains(outcome.runs.front().why, "holds no model");
}

TEST_F(CarryOut, AFileThatCannotBeReadLeavesOutWhatNeedsIt) {
  fs::create_symlink("gone", folder_.path() / "encoder/model-2.safetensors");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 1);
  expect_says(outcome.runs.front().why, {"cannot be read", "model-2.safetensors"});
}

TEST_F(CarryOut, ADamagedRecordCountsAsNone) {
  carry_out();
  folder_.write("runs/count.json", "{\"identity\": ");
  carry_out();
  EXPECT_EQ(started_.size(), 1u);
}

TEST_F(CarryOut, AFailureLeavesOutWhatNeedsItAlone) {
  failing_ = "score/set=a,seed=1";
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 17 - 2);  // the other seed is scored
  EXPECT_EQ(count(outcome, RunState::failed), 1);
  EXPECT_EQ(count(outcome, RunState::not_run), 1);
  EXPECT_EQ(status_of("score/set=a,seed=1", outcome).why,
            "ended with exit code 3 (log: " + folder_.file("runs") + "/score/set=a,seed=1.log)");
  failing_.clear();
  carry_out();
  EXPECT_EQ(started_.size(), 2u);  // the failed one is tried again
}

// Nobody selects among fewer runs than the rule compares.
TEST_F(CarryOut, AFailedTrainingLeavesOutWhatIsSelectedAmongThemAndNoTraining) {
  failing_ = "train/set=a,rate=1.0e-5,seed=1";
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::failed), 1);
  EXPECT_EQ(count(outcome, RunState::not_run), 4);  // scores and evaluations of set a
  EXPECT_EQ(count(outcome, RunState::made), 7 + 4 + 1);
  const RunStatus scored = status_of("score/set=a,seed=2", outcome);
  EXPECT_EQ(scored.state, RunState::not_run);
  EXPECT_EQ(scored.why, "train/set=a,rate=1.0e-5,seed=1 ended with exit code 3 (log: " +
                            folder_.file("runs") + "/train/set=a,rate=1.0e-5,seed=1.log)");
  ASSERT_EQ(outcome.selections.size(), 1u);
  EXPECT_EQ(outcome.selections[0].bindings.at("set"), "b");
}

TEST_F(CarryOut, WhereNothingCanBeSelectedTheRestGoesOn) {
  experiment_ =
      example(folder_, replaced(kExampleSteps, "highest: /best/value", "highest: /best/undefined"));
  plan_ = make_plan(experiment_, "");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 8 + 1);
  EXPECT_EQ(count(outcome, RunState::not_run), 8);
  expect_contains(status_of("score/set=b,seed=1", outcome).why, "no rate can be selected");
  expect_contains(status_of("score/set=b,seed=1", outcome).why, "experiment.yaml:9");
}

TEST_F(CarryOut, ScoresLeaveTheirSummary) {
  carry_out();
  const auto scored = std::find_if(started_.begin(), started_.end(),
                                   [](const Words& words) { return words[0] == "score"; });
  EXPECT_EQ(value_of(*scored, "--summary"),
            folder_.file("runs") + "/score/set=a,seed=1/summary.json");
}

TEST_F(CarryOut, JoinedCommandsAreStartedInTurn) {
  experiment_ = example(
      folder_,
      replaced(kExampleSteps, "score lerc --model {train}/model --output {folder}/scored.json",
               "judge first --output {folder}/scored.json && judge second --output "
               "{folder}/scored.json"));
  plan_ = make_plan(experiment_, "score/set=a,seed=1");
  carry_out();
  ASSERT_EQ(started_.size(), 2u);
  const std::string output = folder_.file("runs") + "/score/set=a,seed=1/scored.json";
  EXPECT_EQ(started_[0], (Words{"judge", "first", "--output", output}));
  EXPECT_EQ(started_[1], (Words{"judge", "second", "--output", output}));
  fs::remove(output);
  failing_ = "first";
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::failed), 1);
  EXPECT_EQ(started_.size(), 1u);
}

TEST_F(CarryOut, WhatIsMissingIsToldWithItsSource) {
  experiment_.sources["data"] = "scripts/download it";
  fs::remove(folder_.path() / "dev.json");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(status_of("score/set=a,seed=1", outcome).why,
            folder_.file("dev.json") + " is missing: scripts/download it");
}

TEST_F(CarryOut, AMissingFileLeavesOutWhatNeedsIt) {
  fs::remove(folder_.path() / "dev.json");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 1);
  EXPECT_EQ(count(outcome, RunState::not_run), 16);
  EXPECT_EQ(outcome.runs[8 - 4].why, folder_.file("dev.json") + " is missing");
}

// A training serves the scores alone, and those cannot be made.
TEST_F(CarryOut, WhatNothingCouldUseIsNotStarted) {
  fs::remove(folder_.path() / "dev.json");
  const ExperimentOutcome planned = carry_out(true), outcome = carry_out();
  for (const ExperimentOutcome& each : {planned, outcome}) {
    EXPECT_EQ(each.runs.front().state, RunState::not_run);
    EXPECT_EQ(each.runs.front().why,
              "nothing could use it: " + folder_.file("dev.json") + " is missing");
  }
  EXPECT_EQ(started_.size(), 1u);  // the description
}

TEST_F(CarryOut, WhatWasMadeStaysDoneWhenNothingCanUseIt) {
  carry_out();
  fs::remove(folder_.path() / "dev.json");
  EXPECT_EQ(count(carry_out(), RunState::done), 8 + 1);
}

TEST_F(CarryOut, AMissingConfigurationStopsItBeforeTheStart) {
  experiment_ = example(folder_, replaced(kExampleSteps, "lerc.yaml", "lurc.yaml"));
  plan_ = make_plan(experiment_, "");
  const std::string error = input_error([&] { carry_out(); });
  expect_says(error, {"there is no configuration \"lurc.yaml\"", "experiment.yaml:9"});
  EXPECT_TRUE(started_.empty());
}

TEST_F(CarryOut, OutputsThatDidNotComeAreAFailure) {
  experiment_ = example(folder_, replaced(kExampleSteps, "[scored.json]", "[other.json]"));
  plan_ = make_plan(experiment_, "");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::failed), 4);
}

}  // namespace rubric::eval::run_test
