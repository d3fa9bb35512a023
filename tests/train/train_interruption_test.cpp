// Training that is stopped, killed, or fails: what was saved is good, and the same command started
// again comes out where an uninterrupted run does, bit for bit.
#include <chrono>
#include <random>
#include <thread>

#include "small_disk.h"
#include "train/train_command.h"

namespace rubric {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class TrainInterrupted : public TrainCommand {
 protected:
  // Until the run has made this many updates, or is over.
  void wait_for_updates(const Process& process, const std::string& run, int64_t updates) const {
    const std::string log = file(run + "/log.jsonl");
    while (!process.ended()) {
      if (fs::exists(log)) {
        const std::string text = read_file(log);
        if (std::count(text.begin(), text.end(), '\n') > updates) return;
      }
      std::this_thread::sleep_for(1ms);
    }
  }

  std::vector<std::string> checkpoints(const std::string& run) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(file(run + "/checkpoints"))) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // Asks the command to stop once it has made so many updates; it must end with all saved.
  Outcome stop_after(const Arguments& command, const std::string& run, int64_t updates,
                     int signal = SIGTERM) const {
    Process process(command);
    wait_for_updates(process, run, updates);
    process.send(signal);
    Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 75) << outcome.err << outcome.out;
    EXPECT_TRUE(holds(outcome.err, "stopped on request after update")) << outcome.err;
    EXPECT_FALSE(fs::exists(file(run + "/results.json")));
    return outcome;
  }

  static std::map<std::string, std::string> without_checkpoints(
      std::map<std::string, std::string> files) {  // a stop adds one
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("checkpoints/"); });
    return files;
  }
};

TEST_F(TrainInterrupted, AStopSavesAndTheSameCommandGoesOn) {
  const Arguments longer = {"--set", "run.epochs=40"};
  const auto expected = without_checkpoints(uninterrupted(longer));
  Arguments command = train("stopped/run", longer);
  int stops = 0;
  for (const int signal : {SIGTERM, SIGINT, SIGTERM}) {
    stop_after(command, "stopped/run", 70 * stops++ + 10, signal);
  }
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "going on after update")) << outcome.err;
  expect_equal(without_checkpoints(outcome_of("stopped/run")), expected);
}

TEST_F(TrainInterrupted, AStopDuringValidationSavesTheUpdateBefore) {
  write_file(file("dev.json"), small_mocha(4000).dump());  // takes a second or so
  const Arguments one_epoch = {"--set", "run.epochs=1"};
  const auto expected = without_checkpoints(uninterrupted(one_epoch));
  const Arguments command = train("run", one_epoch);
  stop_after(command, "run", 7);
  const std::string log = read_file(file("run/log.jsonl"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 8) << log;  // no validation yet
  EXPECT_EQ(checkpoints("run").back(), "step-000008");
  EXPECT_FALSE(fs::exists(file("run/best")));
  ASSERT_EQ(run(command).code, 0);
  expect_equal(without_checkpoints(outcome_of("run")), expected);
}

TEST_F(TrainInterrupted, AStopDoesNotWaitForTheUpdate) {
  write_file(file("train.json"), small_mocha(4000).dump());
  Process process(train("run", {"--set", "batches.size=8000"}));  // one update: several seconds
  while (!process.ended() && !fs::exists(file("run/log.jsonl"))) std::this_thread::sleep_for(1ms);
  process.send(SIGTERM);
  expect_message(process.wait(), 75, {"stopped on request after update 0"});
  EXPECT_EQ(read_file(file("run/log.jsonl")), "");
}

TEST_F(TrainInterrupted, AStopDoesNotWaitForTheTokeniser) {
  write_file(file("train.json"), small_mocha(30'000).dump());
  Process process(train("runs/run"));
  const std::string store = file("runs/token_store");
  while (!process.ended() && !fs::exists(store)) std::this_thread::sleep_for(1ms);
  process.send(SIGTERM);
  expect_message(process.wait(), 75, {"stopped on request", "start the same command again"});
  EXPECT_TRUE(fs::is_empty(store));
  EXPECT_FALSE(fs::exists(file("runs/run")));
}

TEST_F(TrainInterrupted, AnUnreadableCheckpointIsNamedAndTheOneBeforeIsUsed) {
  const auto expected = without_checkpoints(uninterrupted());
  {
    Process process(train("run"));
    wait_for_updates(process, "run", 20);
    process.send(SIGKILL);
    process.wait();
  }
  ASSERT_EQ(checkpoints("run").size(), 2u);
  const std::string newest = file("run/checkpoints/" + checkpoints("run").back());
  fs::resize_file(newest + "/model.safetensors", 1000);
  const Outcome outcome = run(train("run"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "warning: ") && holds(outcome.err, newest)) << outcome.err;
  expect_equal(without_checkpoints(outcome_of("run")), expected);
}

TEST_F(TrainInterrupted, WhatAKilledStartLeftHalfWrittenIsRemoved) {
  const auto expected = without_checkpoints(uninterrupted());
  fs::create_directory(file("run"));
  write_file(file("run/config.yaml.partial-1"), "task: le");  // killed while it made the folder
  stop_after(train("run"), "run", 12);
  for (const char* name : {"run/best", "run/checkpoints/step-000013"}) {
    const fs::path half = partial_path(file(name));
    fs::create_directory(half);
    write_file(half / "model.safetensors", "half");
    write_file(half / "DONE", "");
  }
  write_file(file("run/log.jsonl"), read_file(file("run/log.jsonl")) + "{\"event\": \"upd");
  ASSERT_EQ(run(train("run")).code, 0);
  expect_equal(without_checkpoints(outcome_of("run")), expected);
  for (const std::string& name : checkpoints("run")) EXPECT_FALSE(holds(name, "partial")) << name;
}

TEST_F(TrainInterrupted, OnlyOneProcessTrainsInAFolder) {
  Process process(train("run", {"--set", "run.epochs=500"}));
  wait_for_updates(process, "run", 1);
  expect_message(run(train("run", {"--set", "run.epochs=500"})), 2,
                 {"another process", file("run")});
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().code, 75);
}

// Twenty kills at random moments, from the start of the process to its end, over a few runs.
TEST_F(TrainInterrupted, KillsAtAnyMomentChangeNothing) {
  // So much is saved that most kills come in between.
  const Arguments busy = {"--set", "run.checkpoint_every=1", "--set", "run.validate_every=3"};
  const auto begin = Clock::now();
  const auto expected = uninterrupted(busy);
  std::chrono::duration<double> longest = 1.1 * (Clock::now() - begin);
  const std::string wanted = environment("RUBRIC_TEST_SEED");  // to repeat a failure
  const unsigned seed =
      wanted.empty() ? std::random_device()() : static_cast<unsigned>(std::stoul(wanted));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> moment(0, 1);

  constexpr int kKills = 20, kKillsOfARun = 5;
  int kills = 0;
  for (int number = 0; kills < kKills; ++number) {
    const std::string name = "killed" + std::to_string(number) + "/run";
    SCOPED_TRACE(name + ", RUBRIC_TEST_SEED=" + std::to_string(seed));
    for (int i = 0; i < kKillsOfARun && !fs::exists(file(name + "/results.json")); ++i) {
      Process process(train(name, busy));
      std::this_thread::sleep_for(moment(random) * longest);
      process.send(SIGKILL);
      const Outcome outcome = process.wait();
      ASSERT_TRUE(outcome.signal == SIGKILL || outcome.code == 0) << outcome.err;
      kills += outcome.signal == SIGKILL ? 1 : 0;
      if (outcome.code == 0) longest *= 0.9;  // the machine has become faster since
    }
    const Outcome outcome = run(train(name, busy));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_FALSE(holds(outcome.err, "warning")) << outcome.err;
    expect_equal(outcome_of(name), expected);
  }
}

// A file that cannot be written whole: a full disk fails in the same way.
TEST_F(TrainInterrupted, AFullDiskKeepsTheCheckpointBefore) {
  constexpr rlim_t kTooSmall = 50'000;  // the model takes 90 kB
  const auto expected = without_checkpoints(uninterrupted());
  stop_after(train("run"), "run", 12);
  const std::vector<std::string> before = checkpoints("run");
  for (int attempt = 0; attempt < 2; ++attempt) {
    const FileSizeLimit limit(kTooSmall);
    expect_message(run(train("run")), 1,
                   {"going on after update", "File too large", file("run/"), "free some space"});
    EXPECT_EQ(checkpoints("run"), before);
  }
  ASSERT_EQ(run(train("run")).code, 0);
  expect_equal(without_checkpoints(outcome_of("run")), expected);
}

TEST_F(TrainInterrupted, ALossThatIsNotFiniteStopsBeforeTheUpdate) {
  // With epsilon 0 the first update divides 0 by 0 for every word that its batch lacks.
  const Arguments command = train("run", {"--set", "optimizer.epsilon=0"});
  const Outcome outcome = run(command);
  expect_message(outcome, 1,
                 {"the loss is nan", "update 2, examples", "quoref/i", "the update was not made",
                  "optimizer.learning_rate"});
  const std::string log = log_without_times(file("run/log.jsonl"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
  EXPECT_FALSE(fs::exists(file("run/results.json")) || fs::exists(file("run/checkpoints")));
  expect_message(run(command), 1, {"update 2, examples"});  // again, from the start
}

}  // namespace
}  // namespace rubric
