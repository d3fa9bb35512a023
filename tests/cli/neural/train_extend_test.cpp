// train --extend: a finished or stopped run goes on with more epochs or patience, and as a run that
// was as long from the beginning would, where the schedule does not depend on the length.
#include <chrono>
#include <random>
#include <thread>

#include "measured.h"
#include "train/train_command.h"

namespace rubric::cli::train_extend_test {

struct TrainExtend : TrainCommand {
  static Arguments set(const std::string& value) { return {"--set", value}; }

  // With a schedule that does not depend on the length.
  Arguments constant(const std::string& name, int epochs, const Arguments& more = {}) const {
    return train(name, set("optimizer.schedule=constant") +
                           set("run.epochs=" + std::to_string(epochs)) + more);
  }

  std::vector<Json> events(const std::string& run, const std::string& kind) const {
    std::vector<Json> found;
    LineReader lines(file(run + "/log.jsonl"));
    for (std::string line; lines.next(line);) {
      Json event = Json::parse(line, lines.where());
      if (event.require_string("event", "") == kind) found.push_back(std::move(event));
    }
    return found;
  }

  // What the run leaves behind, its log without its extensions and the run's length.
  std::map<std::string, std::string> outcome_without_extensions(const std::string& run) const {
    auto files = outcome_of(run);
    std::string text;
    std::istringstream lines(files.at("log.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      Json event = Json::parse(line, run);
      if (event.require_string("event", "") == "extended") continue;
      std::erase_if(event.object(), [](const auto& member) { return member.first == "steps"; });
      text += event.dump() + "\n";
    }
    files["log.jsonl"] = text;
    return files;
  }

  static std::map<std::string, std::string> without_checkpoints(
      std::map<std::string, std::string> files) {  // a stop adds one
    std::erase_if(files, [](const auto& file) { return file.first.starts_with("checkpoints/"); });
    return files;
  }

  void wait_for_updates(const Process& process, const std::string& run, int64_t updates) const {
    while (!process.ended()) {
      if (fs::exists(file(run + "/log.jsonl"))) {
        const std::string text = read_file(file(run + "/log.jsonl"));
        if (std::count(text.begin(), text.end(), '\n') > updates) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void expect_done(const Arguments& command) const { done(run(command)); }
};

TEST_F(TrainExtend, MoreEpochsAreThoseOfALongerRun) {
  expect_done(constant("long/run", 6));
  const auto expected = outcome_without_extensions("long/run");
  expect_done(constant("short/run", 3));
  const Outcome outcome = done(run(constant("short/run", 6, {"--extend"})));
  expect_contains(outcome.err, "extended after update 24: run.epochs 3 → 6\n");
  EXPECT_FALSE(holds(outcome.err, "depends on the length")) << outcome.err;
  expect_equal(outcome_without_extensions("short/run"), expected);
  const std::vector<Json> extended = events("short/run", "extended");
  ASSERT_EQ(extended.size(), 1U);
  EXPECT_EQ(extended[0].dump(), R"({"event": "extended", "step": 24, "steps": 48, )"
                                R"("changes": {"run.epochs": {"before": 3, "now": 6}}})");
  expect_contains(read_file(file("short/run/config.yaml")), "  epochs: 6\n");
  expect_contains(read_file(file("short/run/report.html")),
                  "Extended after update 24: run.epochs 3 → 6");
  // It is done, and both commands say so.
  for (const Arguments& command :
       {constant("short/run", 6), constant("short/run", 6, {"--extend"})}) {
    const Outcome again = run(command);
    EXPECT_EQ(again.code, 0) << again.err;
    expect_contains(again.err, "this run is finished");
  }
  expect_equal(outcome_without_extensions("short/run"), expected);
}

TEST_F(TrainExtend, AStoppedRunToo) {
  expect_done(constant("long/run", 80));
  {
    Process process(constant("stopped/run", 40));
    wait_for_updates(process, "stopped/run", 20);
    process.send(SIGTERM);
    EXPECT_EQ(process.wait().code, 75);
  }
  expect_done(constant("stopped/run", 80, {"--extend"}));
  expect_equal(without_checkpoints(outcome_without_extensions("stopped/run")),
               without_checkpoints(outcome_without_extensions("long/run")));
  EXPECT_EQ(events("stopped/run", "extended").size(), 1U);
}

TEST_F(TrainExtend, KillsChangeNothing) {
  using Clock = std::chrono::steady_clock;
  const Arguments busy = {"--set", "run.checkpoint_every=1"};
  expect_done(constant("long/run", 6, busy));
  const auto expected = without_checkpoints(outcome_without_extensions("long/run"));
  expect_done(constant("short/run", 3, busy));
  const std::string wanted = environment("RUBRIC_TEST_SEED");  // to repeat a failure
  const unsigned seed =
      wanted.empty() ? std::random_device()() : static_cast<unsigned>(std::stoul(wanted));
  SCOPED_TRACE("RUBRIC_TEST_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> moment(0, 1);
  fs::copy(file("short"), file("timed"), fs::copy_options::recursive);
  const auto begin = Clock::now();
  expect_done(constant("timed/run", 6, busy + Arguments{"--extend"}));
  const std::chrono::duration<double> longest = Clock::now() - begin;
  for (int kills = 0; kills < 6; ++kills) {
    Process process(constant("short/run", 6, busy + Arguments{"--extend"}));
    std::this_thread::sleep_for(moment(random) * longest);
    process.send(SIGKILL);
    process.wait();
  }
  done(run(constant("short/run", 6, busy + Arguments{"--extend"})));
  expect_equal(without_checkpoints(outcome_without_extensions("short/run")), expected);
  EXPECT_EQ(events("short/run", "extended").size(), 1U);
}

TEST_F(TrainExtend, MorePatienceAndOtherIntervals) {
  // A rate that makes the model worse, so that there is no better one.
  const Arguments worse =
      set("optimizer.learning_rate=0") + set("run.patience=1") + set("optimizer.schedule=constant");
  expect_done(train("runs/run", worse));
  EXPECT_EQ(events("runs/run", "update").size(), 16U);
  const Outcome outcome =
      done(run(train("runs/run", worse + set("run.patience=2") + set("run.validate_every=4") +
                                     set("run.checkpoint_every=2") + set("run.keep_checkpoints=1") +
                                     Arguments{"--extend"})));
  expect_contains(outcome.err,
                  "extended after update 16: run.validate_every 0 → 4, run.checkpoint_every 5 → 2, "
                  "run.patience 1 → 2, run.keep_checkpoints 2 → 1");
  EXPECT_EQ(events("runs/run", "update").size(), 20U);  // a validation more, four updates later
  EXPECT_EQ(events("runs/run", "validation").size(), 3U);
  EXPECT_EQ(std::distance(fs::directory_iterator(file("runs/run/checkpoints")), {}), 1);
  const Json results = Json::parse_file(file("runs/run/results.json"));
  EXPECT_EQ(value_of(results, "updates"), 20);
  EXPECT_EQ(value_of(results, "best_update"), 8);
  EXPECT_FALSE(fs::exists(file("runs/run/best")));
}

TEST_F(TrainExtend, MoreEpochsAloneAreRefusedWherePatienceHasEndedTheRun) {
  const Arguments worse = set("optimizer.learning_rate=0") + set("optimizer.schedule=constant");
  expect_done(train("runs/run", worse + set("run.epochs=6") + set("run.patience=1")));
  const std::string log = read_file(file("runs/run/log.jsonl"));
  expect_message(run(train("runs/run", worse + set("run.epochs=8") + set("run.patience=1") +
                                           Arguments{"--extend"})),
                 2,
                 {"run.patience 1 has ended this run after update 16", "raise run.patience too"});
  EXPECT_EQ(read_file(file("runs/run/log.jsonl")), log);
  EXPECT_TRUE(fs::exists(file("runs/run/results.json")));
  expect_contains(read_file(file("runs/run/config.yaml")), "  epochs: 6\n");
  expect_done(train("runs/run",
                    worse + set("run.epochs=8") + set("run.patience=2") + Arguments{"--extend"}));
  EXPECT_EQ(events("runs/run", "update").size(), 24U);
}

// The learning rate is then that of the longer run, from where it goes on.
TEST_F(TrainExtend, AScheduleOfTheLengthIsThatOfTheLongerRunFromThereOn) {
  for (const std::string schedule : {"linear", "cosine"}) {
    const Arguments settings =
        set("optimizer.schedule=" + schedule) + set("optimizer.warmup_steps=2");
    const std::string name = schedule + "/run", whole = schedule + "_whole/run";
    expect_done(train(name, settings + set("run.epochs=2")));
    const Outcome outcome =
        done(run(train(name, settings + set("run.epochs=4") + Arguments{"--extend"})));
    expect_contains(outcome.err, "optimizer.schedule " + schedule + " depends on the length");
    expect_contains(outcome.err, "that of a run of 32 updates");
    expect_done(train(whole, settings + set("run.epochs=4")));
    const std::vector<Json> updates = events(name, "update"), longer = events(whole, "update");
    ASSERT_EQ(updates.size(), 32U);
    for (size_t i = 16; i < 32; ++i) {
      EXPECT_EQ(updates[i].require_number("lr", ""), longer[i].require_number("lr", "")) << i;
    }
    EXPECT_LT(updates[15].require_number("lr", ""), longer[15].require_number("lr", ""));
  }
}

TEST_F(TrainExtend, NothingElseChanges) {
  expect_done(train("runs/run", set("run.epochs=2")));
  const std::string log = read_file(file("runs/run/log.jsonl"));
  const Arguments extend = {"--extend"};
  expect_message(run(train("runs/run", set("run.epochs=3"))), 2,
                 {"run.epochs is 2 there and 3 here", "continue that run with --extend"});
  for (const std::string other : {"seed=7", "optimizer.learning_rate=2e-3", "batches.size=4",
                                  "optimizer.schedule=cosine", "run.pooled_validation=true"}) {
    expect_message(run(train("runs/run", set("run.epochs=3") + set(other) + extend)), 2,
                   {other.substr(0, other.find('=')) + " is ",
                    "--extend changes only run.epochs, run.patience, run.validate_every, "
                    "run.checkpoint_every, run.keep_checkpoints",
                    "choose another folder"});
  }
  expect_message(run(train("runs/none", extend)), 2, {"there is no run to extend", "runs/none"});
  EXPECT_FALSE(fs::exists(file("runs/none")));
  expect_message(
      run(train("runs/run", set("run.epochs=3") + extend + Arguments{"--resume", "never"})), 2,
      {"--extend cannot be combined with --resume never"});
  expect_message(run(train("runs/run", set("run.epochs=1") + extend)), 2,
                 {"the run has made 16 updates already, more than the 8 that run.epochs 1 allows",
                  "set run.epochs higher"});
  write_file(file("dev.json"), small_mocha(11, kDevPrefix).dump(1));
  expect_message(run(train("runs/run", set("run.epochs=3") + extend)), 2, {"data.dev has changed"});
  write_file(file("dev.json"), small_mocha(10, kDevPrefix).dump(1));
  const Outcome dry =
      done(run(train("runs/run", set("run.epochs=3") + extend + Arguments{"--dry-run"})));
  expect_contains(dry.out, "# extends the run: run.epochs 2 → 3\n");
  fs::rename(file("runs/run/checkpoints"), file("checkpoints"));
  expect_message(run(train("runs/run", set("run.epochs=3") + extend)), 2,
                 {"its checkpoints are gone", "runs/run/checkpoints", "another folder"});
  EXPECT_EQ(read_file(file("runs/run/log.jsonl")), log);
  EXPECT_TRUE(fs::exists(file("runs/run/results.json")));
}

}  // namespace rubric::cli::train_extend_test
