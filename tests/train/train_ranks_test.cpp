// Training on several ranks: the same run as on one, and what ends all of them.
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "core/hash.h"
#include "models/weights/weights.h"
#include "paths.h"
#include "train/ranks_command.h"

namespace rubric::train::train_ranks_test {

using namespace std::chrono_literals;

struct TrainRanks : TrainCommand {
  // Until rank 0's log has so many lines, or a rank has ended.
  void wait_for_updates(const std::vector<std::unique_ptr<Process>>& ranks, const std::string& run,
                        int64_t updates) const {
    const std::string log = file(run + "/log.jsonl");
    while (std::ranges::none_of(ranks, [](const auto& rank) { return rank->ended(); })) {
      if (fs::exists(log)) {
        const std::string text = read_file(log);
        if (std::count(text.begin(), text.end(), '\n') >= updates) return;
      }
      std::this_thread::sleep_for(1ms);
    }
  }

  static std::map<std::string, std::string> without_checkpoints(
      std::map<std::string, std::string> files) {  // a stop adds one
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("checkpoints/"); });
    return files;
  }
};

// Batches of 9 on 4 ranks: shares differ, and the last batch of an epoch has one row. The learning
// rate is small because it scales up what float32 rounds differently when shares do.
TEST_F(TrainRanks, AnyNumberOfRanksGivesTheSameCurve) {
  const Arguments settings = {"--set",        "batches.size=9", "--set",
                              "run.epochs=3", "--set",          "optimizer.learning_rate=1e-4"};
  for (const size_t size : {1U, 2U, 4U}) {
    const std::string name = "ranks" + std::to_string(size) + "/run";
    expect_done(run_on(size, train(name, settings)));
    if (size == 1) continue;
    expect_same_run(file(name), file("ranks1/run"), 24);
    for (const auto& [file, content] : outcome_of("ranks1/run")) {
      EXPECT_TRUE(outcome_of(name).contains(file)) << file;
    }
  }
}

TEST_F(TrainRanks, MoreRanksThanRowsToValidateAndInABatch) {
  write_file(file("dev.json"), small_mocha(2, kDevPrefix).dump());
  const Arguments settings = {"--set",        "batches.size=2", "--set",
                              "run.epochs=1", "--set",          "run.pooled_validation=true"};
  expect_done(run_on(1, train("ranks1/run", settings)));
  expect_done(run_on(6, train("ranks6/run", settings)));
  expect_same_run(file("ranks6/run"), file("ranks1/run"), 32);
}

TEST_F(TrainRanks, AStopOnAnyRankSavesOnceAndTheSameCommandGoesOnBitForBit) {
  const Arguments longer = {"--set", "run.epochs=40"};
  expect_done(run_on(2, train("uninterrupted/run", longer)));
  const auto expected = without_checkpoints(outcome_of("uninterrupted/run"));
  const Arguments command = train("stopped/run", longer);
  for (const size_t stopped : {0U, 1U}) {
    const auto ranks = start_ranks({command, command});
    wait_for_updates(ranks, "stopped/run", 10 + 100 * static_cast<int64_t>(stopped));
    ranks[stopped]->send(SIGTERM);
    const std::vector<Outcome> outcomes = wait_for_all(ranks);
    for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.code, 75) << outcome.err;
    expect_contains(outcomes[0].err, "stopped on request after update");
    EXPECT_EQ(outcomes[1].err.find("stopped on request"), std::string::npos) << outcomes[1].err;
  }
  const std::vector<Outcome> outcomes = run_on(2, command);
  expect_done(outcomes);
  expect_contains(outcomes[0].err, "resuming after update");
  expect_equal(without_checkpoints(outcome_of("stopped/run")), expected);
}

// As a scheduler does that signals all processes, and a launcher that passes the signal on.
TEST_F(TrainRanks, ASigtermThatReachesEveryRankTwiceIsOneStop) {
  const Arguments longer = {"--set", "run.epochs=40"};
  const Arguments command = train("stopped/run", longer);
  const auto ranks = start_ranks({command, command});
  wait_for_updates(ranks, "stopped/run", 10);
  for (int time = 0; time < 2; ++time) {
    for (const auto& rank : ranks) rank->send(SIGTERM);
  }
  const std::vector<Outcome> outcomes = wait_for_all(ranks);
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.code, 75) << outcome.err;
  expect_contains(outcomes[0].err, "stopped on request after update");
  expect_done(run_on(2, train("uninterrupted/run", longer)));
  const std::vector<Outcome> resumed = run_on(2, command);
  expect_done(resumed);
  expect_contains(resumed[0].err, "resuming after update");
  expect_equal(without_checkpoints(outcome_of("stopped/run")),
               without_checkpoints(outcome_of("uninterrupted/run")));
}

// The learning rate is smaller still: there are twice as many updates.
TEST_F(TrainRanks, ARunGoesOnWithAnotherNumberOfRanks) {
  const Arguments settings = {"--set", "optimizer.learning_rate=3e-5"};
  expect_done(run_on(1, train("ranks1/run", settings)));
  const Arguments command = train("changed/run", settings);
  const auto ranks = start_ranks({command, command});
  wait_for_updates(ranks, "changed/run", 10);
  ranks[0]->send(SIGTERM);
  for (const Outcome& outcome : wait_for_all(ranks)) EXPECT_EQ(outcome.code, 75) << outcome.err;
  expect_done(run_on(3, command));
  expect_same_run(file("changed/run"), file("ranks1/run"), 48);
}

TEST_F(TrainRanks, SharesOfTheOptimizerAreTheSameRunBitForBit) {
  for (const std::string name : {"adamw", "adafactor"}) {
    const Arguments settings = {"--set", "optimizer.name=" + name};
    const Arguments shared = settings + Arguments{"--set", "optimizer.shard=true"};
    expect_done(run_on(2, train(name + "_whole/run", settings)));
    expect_done(run_on(2, train(name + "_shared/run", shared)));
    auto expected = outcome_of(name + "_whole/run"), actual = outcome_of(name + "_shared/run");
    const std::string last = "checkpoints/step-000048/";
    EXPECT_EQ(actual.at(last + "model.safetensors"), expected.at(last + "model.safetensors"));
    EXPECT_TRUE(actual.contains(last + "optimizer-00002-of-00002.safetensors"));
    expect_equal(without_checkpoints(actual), without_checkpoints(expected));
  }
}

TEST_F(TrainRanks, SharesGoOnWithAnotherNumberOfRanksAndWithout) {
  const Arguments settings = {"--set", "optimizer.learning_rate=3e-5"};
  const Arguments shared = settings + Arguments{"--set", "optimizer.shard=true"};
  expect_done(run_on(1, train("ranks1/run", settings)));
  for (const size_t stopped : {0U, 1U}) {
    const auto ranks = start_ranks(std::vector<Arguments>(3, train("changed/run", shared)));
    wait_for_updates(ranks, "changed/run", 10 + 15 * static_cast<int64_t>(stopped));
    ranks[stopped]->send(SIGTERM);
    for (const Outcome& outcome : wait_for_all(ranks)) EXPECT_EQ(outcome.code, 75) << outcome.err;
  }
  expect_done(run_on(2, train("changed/run", settings)));
  expect_same_run(file("changed/run"), file("ranks1/run"), 48);
}

TEST_F(TrainRanks, AStopInAValidationIsOneForAll) {
  write_file(file("dev.json"), small_mocha(4000, kDevPrefix).dump());
  const Arguments command = train("runs/run", {"--set", "run.epochs=1"});
  const auto ranks = start_ranks({command, command});
  wait_for_updates(ranks, "runs/run", 8);
  ranks[1]->send(SIGTERM);
  const std::vector<Outcome> outcomes = wait_for_all(ranks);
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.code, 75) << outcome.err;
  expect_contains(outcomes[0].err, "stopped on request after update 8");
  const std::string log = read_file(file("runs/run/log.jsonl"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 8) << log;  // no validation yet
}

TEST_F(TrainRanks, AKilledRankEndsTheOthersAndTheRunGoesOnBitForBit) {
  const Arguments longer = {"--set", "run.epochs=40"};
  expect_done(run_on(2, train("uninterrupted/run", longer)));
  const auto expected = without_checkpoints(outcome_of("uninterrupted/run"));
  const Arguments command = train("killed/run", longer);
  for (const size_t killed : {1U, 0U}) {
    const auto ranks = start_ranks({command, command});
    wait_for_updates(ranks, "killed/run", 20 + 100 * static_cast<int64_t>(killed == 0));
    ranks[killed]->send(SIGKILL);
    const std::vector<Outcome> outcomes = wait_for_all(ranks);
    EXPECT_EQ(outcomes[killed].signal, SIGKILL);
    expect_message(
        outcomes[1 - killed], 1,
        {killed == 0 ? "rank 0 or the launcher" : "rank 1 is gone or stopped; it was last seen at ",
         "rank " + std::to_string(1 - killed) + " of 2"});
  }
  expect_done(run_on(2, command));
  expect_equal(without_checkpoints(outcome_of("killed/run")), expected);
}

TEST_F(TrainRanks, RanksThatDisagreeAreRefused) {
  const auto expect_refused = [&](const Arguments& first, const Arguments& second,
                                  const std::vector<std::string>& parts) {
    const std::vector<Outcome> outcomes = wait_for_all(start_ranks({first, second}));
    expect_message(outcomes[0], 2, parts);
    expect_message(outcomes[1], 2, {"rank 0 says why"});
    EXPECT_FALSE(fs::exists(file("runs/run")));
  };
  const Arguments command = train("runs/run");
  expect_refused(command, train("runs/run", {"--set", "batches.size=4"}),
                 {"batches.size is 8 on rank 0 and 4 on rank 1"});
  expect_refused(command, command + Arguments{"--outptu"}, {"rank 1: ", "no option --outptu"});
  expect_refused(command, {"generate", "--input", "x"}, {"rank 1: --model is missing"});
  const std::string generate = "generate --model x --input x --output " + file("y");
  expect_refused(command, {"generate", "--model", "x", "--input", "x", "--output", file("y")},
                 {"the command is rubric train on rank 0 and rubric " + generate + " on rank 1"});
  const std::string score = "score lerc --input x --output " + file("y");
  expect_refused({"score", "lerc", "--input", "x", "--output", file("y")}, command,
                 {"the command is rubric " + score + " on rank 0 and rubric train on rank 1"});
  const Arguments misspelt = {"--set", "optimzer.name=adamw"};
  expect_refused(command + misspelt, command + misspelt, {"did you mean optimizer?"});
  const Arguments missing = {"--set", "data.dev=" + file("nothing.json")};
  expect_refused(command, command + missing, {"rank 1: ", file("nothing.json")});
  expect_refused(command + missing, command + missing, {"data is missing"});

  // The same command, but another file where a rank finds it.
  for (const char* place : {"here", "there"}) {
    fs::create_directory(file(place));
    copy_encoder(place + std::string("/encoder"));
  }
  set_in_file(file("there/encoder/config.json"), "\"hidden_dropout_prob\": 0.0",
              "\"hidden_dropout_prob\": 0.2");
  const Arguments by_name = command + Arguments{"--set", "model.name=encoder"};
  const auto outcomes = wait_for_all(start_ranks(
      {by_name, by_name}, {{{"RUBRIC_MODELS", file("here")}}, {{"RUBRIC_MODELS", file("there")}}}));
  expect_message(outcomes[0], 2, {"the SHA-256 of model.name is ", "on rank 1"});
  expect_message(outcomes[1], 2, {"rank 0 says why"});
}

TEST_F(TrainRanks, ARankOfAnotherBuildIsRefused) {
  copy_program(file(""));
  fs::create_symlink("rubric", file("bin/train"));
  std::ofstream(file("lib/" + library_file("librubric-neural")), std::ios::app) << "another build";
  const Arguments command = train("runs/run");
  Arguments other = command;
  other[0] = fs::path(file("bin/train")).lexically_relative(programs_folder());
  const std::vector<Outcome> outcomes = wait_for_all(start_ranks({command, other}));
  expect_message(outcomes[0], 2, {"the SHA-256 of the program is ", " on rank 1"});
  expect_message(outcomes[1], 2, {"rank 0 says why"});
}

TEST_F(TrainRanks, AStopBeforeTheRanksHaveMetEndsWith75) {
  Process rank(train("runs/run"), rank_environment(0, 2, free_port()));
  while (!rank.catches(SIGTERM) && !rank.ended()) std::this_thread::sleep_for(1ms);
  rank.send(SIGTERM);
  const Outcome outcome = rank.wait();
  EXPECT_EQ(outcome.code, 75) << outcome.err;
  expect_contains(outcome.err, "stopped on request before anything was done");
}

TEST_F(TrainRanks, WhatFailsOnAllIsExplainedOnce) {
  models::NamedTensors weights = models::read_safetensors(file("encoder/model.safetensors"));
  for (auto& [name, tensor] : weights) {
    if (name.ends_with("word_embeddings.weight")) tensor.fill_(std::nan(""));
  }
  models::write_safetensors(file("encoder/model.safetensors"), weights);
  const std::vector<Outcome> outcomes = run_on(2, train("runs/run"));
  expect_message(outcomes[0], 1, {"the loss is nan", "the update was not made"});
  expect_message(outcomes[1], 1, {"rank 0 says why"});
}

TEST_F(TrainRanks, ADryRunIsShownOnce) {
  const std::vector<Outcome> outcomes = run_on(2, train("runs/run", {"--dry-run"}));
  expect_done(outcomes);
  expect_contains(outcomes[0].out, "batches:");
}

// The same name of another file on each rank: a link to a descriptor that each has of its own.
TEST_F(TrainRanks, OtherDataOfTheSameNameIsRefusedOnAll) {
  write_file(file("other.json"), small_mocha(31).dump());
  const int place = open(file("train.json").c_str(), O_RDONLY);  // the ranks inherit it
  ASSERT_GE(place, 0);
  fs::create_symlink("/proc/self/fd/" + std::to_string(place), file("linked.json"));
  const Arguments command = train("runs/run", {"--set", "data.train=" + file("linked.json")});
  const int port = free_port();
  std::vector<std::unique_ptr<Process>> ranks;
  for (const size_t rank : {0U, 1U}) {
    ranks.push_back(std::make_unique<Process>(command, rank_environment(rank, 2, port)));
    const int other = open(file("other.json").c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(dup2(other, place), place);
    close(other);
  }
  close(place);
  const std::vector<Outcome> outcomes = wait_for_all(ranks);
  const std::string hash = sha256_file(file("train.json")), other = sha256_file(file("other.json"));
  expect_message(
      outcomes[0], 2,
      {"the SHA-256 of data.train is " + hash + " on rank 0 and " + other + " on rank 1"});
  expect_message(outcomes[1], 2, {"rank 0 says why"});
  EXPECT_FALSE(fs::exists(file("runs/run")));
}

TEST_F(TrainRanks, ResumingWithOtherSettingsOrDataIsRefusedOnAll) {
  expect_done(run_on(2, train("runs/run")));
  const auto before = outcome_of("runs/run");
  const auto expect_refused = [&](const Arguments& settings, const std::string& why) {
    const std::vector<Outcome> outcomes = run_on(2, train("runs/run", settings));
    expect_message(outcomes[0], 2, {why});
    expect_message(outcomes[1], 2, {"rank 0 says why"});
    EXPECT_FALSE(holds(outcomes[1].err, why)) << outcomes[1].err;
    expect_equal(outcome_of("runs/run"), before);
  };
  expect_refused({"--set", "batches.size=4"}, "batches.size is 8 there and 4 here");
  write_file(file("train.json"), small_mocha(31).dump());
  expect_refused({}, "the file of data.train has changed since this run was started");
}

TEST_F(TrainRanks, AFinishedRunIsLeftAlone) {
  expect_done(run_on(2, train("runs/run")));
  const auto before = outcome_of("runs/run");
  const std::vector<Outcome> outcomes = run_on(2, train("runs/run"));
  expect_done(outcomes);
  expect_contains(outcomes[0].err, "this run is finished");
  expect_equal(outcome_of("runs/run"), before);
}

TEST_F(TrainRanks, AnEnvironmentThatIsNotWholeIsRefused) {
  expect_message(run(train("runs/run"), {{"RANK", "1"}}), 2, {"WORLD_SIZE is not set", "RANK=1"});
}

}  // namespace rubric::train::train_ranks_test
