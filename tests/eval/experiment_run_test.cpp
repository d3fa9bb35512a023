#include "eval/experiment_run.h"

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "core/log.h"
#include "eval/experiment_example.h"
#include "eval/experiment_record.h"
#include "messages.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The word after `name`.
std::string value_of(const Words& words, const std::string& name) {
  const auto found = std::find(words.begin(), words.end(), name);
  return found == words.end() ? "" : *(found + 1);
}

// Stands in for the commands: each writes what the real one would.
class CarryOut : public testing::Test {
 protected:
  CarryOut() : experiment_(example(folder_)), plan_(make_plan(experiment_, "")) { set_quiet(true); }
  ~CarryOut() override { set_quiet(false); }

  int start(const Words& command, const std::string& output) {
    started_.push_back(command);
    if (command[0] == failing_) return 3;
    const std::string target = value_of(command, "--output");
    if (command[0] == "train") {
      if (fs::exists(target)) ++trained_again_;
      const std::string figure = target.find("2.0e-5") != std::string::npos ? "0.7" : "0.6";
      write(target + "/results.json", "{\"best\": {\"value\": " + figure + "}}");
    } else if (command[0] == "score") {
      write(target, "{}");
    } else {
      write(output, "{}");
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
    return rubric::carry_out(experiment_, plan_, start_command);
  }

  static int64_t count(const ExperimentOutcome& outcome, RunState state) {
    return std::count_if(outcome.runs.begin(), outcome.runs.end(),
                         [&](const RunStatus& run) { return run.state == state; });
  }

  TemporaryFolder folder_;
  Experiment experiment_;
  Plan plan_;
  std::vector<Words> started_;
  std::string failing_;    // the command that fails
  int trained_again_ = 0;  // trainings that found their folder there
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
}

TEST_F(CarryOut, AnUnfinishedTrainingGoesOnInItsFolder) {
  failing_ = "score";
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

TEST_F(CarryOut, ADamagedRecordCountsAsNone) {
  carry_out();
  folder_.write("runs/count.json", "{\"identity\": ");
  carry_out();
  EXPECT_EQ(started_.size(), 1u);
}

TEST_F(CarryOut, AFailureLeavesOutItsSeedsAndWhatNeedsIt) {
  failing_ = "score";
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 8 + 1);  // training and the description
  EXPECT_EQ(count(outcome, RunState::failed), 2);    // one for each set, not one for each seed
  EXPECT_EQ(count(outcome, RunState::not_run), 2 + 4);
  const auto failed = std::find_if(outcome.runs.begin(), outcome.runs.end(),
                                   [](auto& run) { return run.state == RunState::failed; });
  EXPECT_EQ(failed->why,
            "ended with exit code 3 (log: " + folder_.file("runs") + "/score/set=a,seed=1.log)");
  failing_.clear();
  carry_out();
  EXPECT_EQ(started_.size(), 8u);  // the failed one is tried again
}

TEST_F(CarryOut, AMissingFileLeavesOutWhatNeedsIt) {
  fs::remove(folder_.path() / "dev.json");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::made), 8 + 1);
  EXPECT_EQ(count(outcome, RunState::not_run), 8);
  EXPECT_EQ(outcome.runs[8 - 4].why, folder_.file("dev.json") + " is missing");
}

TEST_F(CarryOut, AMissingConfigurationStopsItBeforeTheStart) {
  experiment_ = example(folder_, replaced(kExampleSteps, "lerc.yaml", "lurc.yaml"));
  plan_ = make_plan(experiment_, "");
  const std::string error = input_error([&] { carry_out(); });
  expect_contains(error, "there is no configuration \"lurc.yaml\"");
  expect_contains(error, "experiment.yaml:9");
  EXPECT_TRUE(started_.empty());
}

TEST_F(CarryOut, OutputsThatDidNotComeAreAFailure) {
  experiment_ = example(folder_, replaced(kExampleSteps, "[scored.json]", "[other.json]"));
  plan_ = make_plan(experiment_, "");
  const ExperimentOutcome outcome = carry_out();
  EXPECT_EQ(count(outcome, RunState::failed), 2);
}

}  // namespace
}  // namespace rubric
