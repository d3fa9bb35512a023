// Training that is stopped, killed, or fails: what was saved is good, and the same command started
// again comes out where an uninterrupted run does, bit for bit.
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "core/system/process.h"
#include "models/weights/weights.h"
#include "small_disk.h"
#include "train/train_command.h"

namespace rubric::train::train_interruption_test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct TrainInterrupted : TrainCommand {
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

  static void wait_for(const Process& process, const std::string& path) {  // until it is there
    while (!process.ended() && !fs::exists(path)) std::this_thread::sleep_for(1ms);
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

  // Starts the command with so many rows in `data`, asks it to stop after `wait`, and gives its
  // outcome. Machines differ: when what should be stopped was over by then, as `is_late` tells, all
  // of it again with more rows.
  Outcome stop_within(int rows, const std::string& data, const Arguments& command,
                      const std::function<void(const Process&)>& wait,
                      const std::function<bool(const Outcome&)>& is_late) const {
    constexpr int kAttempts = 3, kMore = 4;
    for (int attempt = 0; attempt < kAttempts; ++attempt, rows *= kMore) {
      write_file(file(data), small_mocha(rows, data == "dev.json" ? kDevPrefix : "").dump());
      fs::remove_all(file("runs"));
      Process process(command);
      wait(process);
      process.send(SIGTERM);
      Outcome outcome = process.wait();
      if (!is_late(outcome)) return outcome;
    }
    ADD_FAILURE() << "no stop came in time";
    return {};
  }

  static std::map<std::string, std::string> without_checkpoints(
      std::map<std::string, std::string> files) {  // a stop adds one
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("checkpoints/"); });
    return files;
  }
};

// As a kill leaves it between the last checkpoint and what is shown of it.
TEST_F(TrainInterrupted, AKillBehindTheLastCheckpointLacksNothing) {
  const auto expected = uninterrupted();
  for (const char* name : {"results.json", "metrics.csv"}) {
    fs::remove(file(std::string("uninterrupted/run/") + name));
  }
  EXPECT_EQ(uninterrupted(), expected);
}

TEST_F(TrainInterrupted, AStopSavesAndTheSameCommandGoesOn) {
  const Arguments longer = {"--set", "run.epochs=40"};
  const auto expected = without_checkpoints(uninterrupted(longer));
  Arguments command = train("stopped/run", longer);
  int stops = 0;
  for (const int signal : {SIGTERM, SIGINT, SIGTERM}) {
    stop_after(command, "stopped/run", 70 * stops++ + 10, signal);
  }
  const Outcome outcome = done(run(command));
  EXPECT_TRUE(holds(outcome.err, "resuming after update")) << outcome.err;
  expect_equal(without_checkpoints(outcome_of("stopped/run")), expected);
}

// Both are written at a validation too, which a stop may be long after.
TEST_F(TrainInterrupted, AStopBringsTheCurvesUpToDateAndNamesTheBestModel) {
  const Arguments longer = {"--set", "run.epochs=40"};
  const Outcome first = stop_after(train("stopped/run", longer), "stopped/run", 30);
  const fs::path best = file("stopped/run/best");
  const Json chosen = Json::parse_file(best / "validation.json");
  expect_contains(first.err, "; the best model so far, of update " +
                                 std::to_string(chosen.require_integer("step", "")) + ", is " +
                                 best.string() + ": rubric score lerc --input FILE --model " +
                                 best.string());
  done(run({"score", "lerc", "--input", file("dev.json"), "--output", file("scored.json"),
            "--model", best.string()}));
  int64_t updates = 0;
  LineReader lines(file("stopped/run/log.jsonl"));
  for (std::string line; lines.next(line);) {
    updates = Json::parse(line, lines.where()).require_integer("step", "");
  }
  const std::string table = read_file(file("stopped/run/metrics.csv"));
  expect_contains(table, "\nupdate," + std::to_string(updates / 10 * 10) + ",");
  const std::string page = read_file(file("stopped/run/report.html"));
  expect_says(page, {"Stopped: " + std::to_string(updates) + " of at most 320 updates", "<svg"});
}

TEST_F(TrainInterrupted, TheReportIsThereAfterTheFirstValidation) {
  Process process(train("run", {"--set", "run.epochs=40"}));
  wait_for(process, file("run/report.html"));
  process.send(SIGKILL);
  process.wait();
  const std::string page = read_file(file("run/report.html"));
  expect_contains(page, "In training: 8 of at most 320 updates (run.epochs: 40).");
}

TEST_F(TrainInterrupted, AdafactorGoesOnBitForBit) {
  const Arguments adafactor = {"--set", "optimizer.name=adafactor",
                               "--set", "optimizer.scale_parameter=true",
                               "--set", "run.epochs=20"};
  const auto expected = without_checkpoints(uninterrupted(adafactor));
  stop_after(train("stopped/run", adafactor), "stopped/run", 30);
  const Outcome outcome = done(run(train("stopped/run", adafactor)));
  EXPECT_TRUE(holds(outcome.err, "resuming after update")) << outcome.err;
  expect_equal(without_checkpoints(outcome_of("stopped/run")), expected);
}

TEST_F(TrainInterrupted, AStopDuringValidationSavesTheUpdateBefore) {
  const Arguments one_epoch = {"--set", "run.epochs=1"};
  const Arguments command = train("runs/run", one_epoch);
  const Outcome outcome = stop_within(
      4000, "dev.json", command,
      [&](const Process& process) { wait_for_updates(process, "runs/run", 7); },
      [](const Outcome& stopped) { return stopped.code == 0; });
  expect_message(outcome, 75, {"stopped on request after update 8"});
  const std::string log = read_file(file("runs/run/log.jsonl"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 8) << log;  // no validation yet
  EXPECT_EQ(checkpoints("runs/run").back(), "step-000008");
  EXPECT_FALSE(fs::exists(file("runs/run/best")));
  ASSERT_EQ(run(command).code, 0);
  expect_equal(without_checkpoints(outcome_of("runs/run")),
               without_checkpoints(uninterrupted(one_epoch)));
}

TEST_F(TrainInterrupted, AStopDoesNotWaitForTheUpdate) {
  const std::string log = file("runs/run/log.jsonl");
  const Outcome outcome = stop_within(
      4000, "train.json", train("runs/run", {"--set", "batches.size=1000000"}),
      [&](const Process& process) { wait_for(process, log); },
      [&](const Outcome&) { return read_file(log) != ""; });
  expect_message(outcome, 75, {"stopped on request after update 0"});
}

TEST_F(TrainInterrupted, AStopDoesNotWaitForTheTokeniser) {
  const std::string store = file("runs/token_store");
  const Outcome outcome = stop_within(
      30'000, "train.json", train("runs/run"),
      [&](const Process& process) { wait_for(process, store); },
      [&](const Outcome&) { return !fs::is_empty(store); });
  expect_message(outcome, 75, {"stopped on request", "start the same command again"});
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
  // Three, where the process ended between writing one and removing the oldest.
  ASSERT_GE(checkpoints("run").size(), 2u);
  const std::string newest = file("run/checkpoints/" + checkpoints("run").back());
  fs::resize_file(newest + "/model.safetensors", 1000);
  const Outcome outcome = done(run(train("run")));
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
    const Outcome outcome = done(run(train(name, busy)));
    ASSERT_EQ(outcome.err.rfind("warning"), outcome.err.find("warning: 20 dev rows"))
        << outcome.err;
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
                   {"resuming after update", "File too large", file("run/"), "free some space"});
    EXPECT_EQ(checkpoints("run"), before);
  }
  ASSERT_EQ(run(train("run")).code, 0);
  expect_equal(without_checkpoints(outcome_of("run")), expected);
}

// Of all rows only one has the word whose embedding is not a number.
TEST_F(TrainInterrupted, ALossThatIsNotFiniteStopsBeforeTheUpdate) {
  const std::string word = "pancakes";
  Json rows = small_mocha(32);
  rows["quoref"]["i17"]["candidate"] = word;
  write_file(file("train.json"), rows.dump());
  const std::string vocabulary = "\n" + read_file(file("encoder/vocab.txt"));
  const size_t line = vocabulary.find("\n" + word + "\n");
  ASSERT_NE(line, std::string::npos);
  const std::string before = vocabulary.substr(0, line);
  const auto id = std::count(before.begin(), before.end(), '\n');
  models::NamedTensors weights = models::read_safetensors(file("encoder/model.safetensors"));
  for (auto& [name, tensor] : weights) {
    if (name.ends_with("word_embeddings.weight")) tensor[id].fill_(std::nan(""));
  }
  models::write_safetensors(file("encoder/model.safetensors"), weights);

  const Arguments command = train("run");
  const Outcome outcome = run(command);
  expect_message(
      outcome, 1,
      {"the loss is nan", "quoref/i17", "the update was not made", "optimizer.learning_rate"});
  const std::string log = log_without_times(file("run/log.jsonl"));
  const auto updates = std::count(log.begin(), log.end(), '\n');
  EXPECT_LT(updates, 8) << log;  // within the first epoch
  expect_contains(outcome.err, "update " + std::to_string(updates + 1) + ", examples");
  EXPECT_FALSE(fs::exists(file("run/results.json")));
  EXPECT_EQ(fs::exists(file("run/checkpoints")), updates >= 5);
  expect_message(run(command), 1, {"quoref/i17"});  // again, from where it was saved
  EXPECT_EQ(log_without_times(file("run/log.jsonl")), log);
}

}  // namespace rubric::train::train_interruption_test
