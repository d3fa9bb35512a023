// Training that is stopped, killed, or fails: what was saved is good, and the same command started
// again comes out where an uninterrupted run does, bit for bit.
#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include <sys/mount.h>

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
    Process process(command);
    wait_for_updates(process, "stopped/run", 70 * stops + 10);
    process.send(signal);
    const Outcome outcome = process.wait();
    ASSERT_EQ(outcome.code, 75) << outcome.err << outcome.out;
    EXPECT_TRUE(holds(outcome.err, "stopped on request after update")) << outcome.err;
    EXPECT_FALSE(fs::exists(file("stopped/run/results.json")));
    ++stops;
  }
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "going on after update")) << outcome.err;
  expect_equal(without_checkpoints(outcome_of("stopped/run")), expected);
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
  {
    Process process(train("run"));
    wait_for_updates(process, "run", 12);
    process.send(SIGTERM);
    ASSERT_EQ(process.wait().code, 75);
  }
  for (const char* half : {"run/best.partial", "run/checkpoints/step-000013.partial"}) {
    fs::create_directory(file(half));
    write_file(file(half) + "/model.safetensors", "half");
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
  const unsigned seed = std::random_device()();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> moment(0, 1);

  constexpr int kKills = 20, kKillsOfARun = 5;
  int kills = 0;
  for (int number = 0; kills < kKills; ++number) {
    const std::string name = "killed" + std::to_string(number) + "/run";
    SCOPED_TRACE(name + ", seed " + std::to_string(seed));
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

// A small file system of its own.
class Disk {
 public:
  explicit Disk(std::string path) : path_(std::move(path)) {
    fs::create_directories(path_);
    mounted_ = mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=600k") == 0;
  }
  ~Disk() {
    if (mounted_) umount(path_.c_str());
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  bool mounted() const { return mounted_; }
  bool grow() const { return mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT, "size=16m") == 0; }

 private:
  std::string path_;
  bool mounted_;
};

// The first checkpoint (270 KB) and the best model (100 KB) fit; the second one does not.
TEST_F(TrainInterrupted, AFullDiskKeepsTheCheckpointBefore) {
  const auto expected = uninterrupted();
  const Disk disk(file("disk"));
  if (!disk.mounted()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
  const Arguments command = train("disk/run", {"--set", "data.store=" + file("token_store")});
  expect_message(run(command), 1,
                 {"No space left on device", file("disk/run/"), "free some space"});
  EXPECT_EQ(checkpoints("disk/run"), std::vector<std::string>{"step-000005"});
  expect_message(run(command), 1, {"going on after update 5", "No space left on device"});
  EXPECT_EQ(checkpoints("disk/run"), std::vector<std::string>{"step-000005"});
  ASSERT_TRUE(disk.grow());
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "going on after update 5")) << outcome.err;
  expect_equal(outcome_of("disk/run"), expected);
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
