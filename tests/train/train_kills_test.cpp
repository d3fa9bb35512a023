// One rank of two is killed at random moments, in every phase of a run; the same command started
// again comes out where an uninterrupted run does, bit for bit.
#include <chrono>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <thread>

#include "core/text/ascii.h"
#include "train/ranks_command.h"

namespace rubric::train::train_kills_test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// What the run's files, and of an update the killed rank's state, show of what is done.
enum class Phase { data, compute, average, checkpoint, publish, best_model, finish };

const std::map<Phase, const char*> kNames = {
    {Phase::data, "start and data"}, {Phase::compute, "forward and backward"},
    {Phase::average, "averaging"},   {Phase::checkpoint, "checkpoint"},
    {Phase::publish, "publish"},     {Phase::best_model, "best model"},
    {Phase::finish, "finish"}};

// Whether the process of this rank, of the two that this test has just started, waits: for the
// other in the middle of an update. By /proc, of all children those with the greatest numbers.
bool is_waiting(size_t rank) {
  std::map<pid_t, char> states;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!parse_count(name)) continue;  // no process
    std::ifstream file(entry.path() / "stat");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const size_t end = text.rfind(')');  // of the program's name; the state and the parent follow
    if (end == std::string::npos) continue;  // it has ended meanwhile
    std::istringstream rest(text.substr(end + 1));
    char state = 0;
    pid_t parent = 0;
    if (rest >> state >> parent && parent == getpid()) states[std::stoi(name)] = state;
  }
  return states.size() >= 2 && std::prev(states.end(), rank == 1 ? 1 : 2)->second == 'S';
}

// The folder in `directory` that is on its way to the name `name`, or to any; empty: none is.
fs::path partial_in(const fs::path& directory, const std::string& name = "") {
  std::error_code gone;  // entries come and go
  fs::directory_iterator entries(directory, gone);
  for (; !gone && entries != fs::directory_iterator(); entries.increment(gone)) {
    const std::string found = entries->path().filename();
    if (found.starts_with(name) && found.find(".partial-") != std::string::npos) {
      return entries->path();
    }
  }
  return {};
}

// A start of the run: its ranks, and what its files were before.
struct Start {
  fs::path run;
  fs::file_time_type begin = fs::file_time_type::clock::now();
  std::vector<std::unique_ptr<Process>> ranks;

  bool any_ended() const {
    return std::ranges::any_of(ranks, [](const auto& rank) { return rank->ended(); });
  }

  Phase phase() const {
    if (fs::exists(run / "model")) return Phase::finish;
    if (!partial_in(run, "best").empty()) return Phase::best_model;
    const fs::path checkpoint = partial_in(run / "checkpoints");
    if (!checkpoint.empty()) {
      return fs::exists(checkpoint / "DONE") ? Phase::publish : Phase::checkpoint;
    }
    std::error_code missing;
    const auto logged = fs::last_write_time(run / "log.jsonl", missing);
    return !missing && logged > begin ? Phase::compute : Phase::data;
  }
};

struct KilledRanks : TrainCommand {
  // So much is saved, and so much computed between, that every phase takes a while. The tokens are
  // stored beside the run, and so made by its first start.
  Arguments command(const std::string& name) const {
    Arguments settings = {"--set", "data.store=" + file(name + "/token_store")};
    for (const char* value :
         {"batches.size=64", "run.epochs=8", "run.checkpoint_every=1", "run.validate_every=2"}) {
      settings.insert(settings.end(), {"--set", value});
    }
    return train(name + "/run", settings);
  }

  double random(double most) { return std::uniform_real_distribution<double>(0, most)(random_); }

  // Waits for a random moment, of any phase or of the updates, or just after the next beginning of
  // `wanted`.
  void wait_for_moment(const Start& start, std::optional<Phase> wanted) {
    const auto sleep = [&](double most) { std::this_thread::sleep_for(Seconds(random(most))); };
    const auto wait_for = [&](Phase phase) {
      while (!start.any_ended() && start.phase() != phase) std::this_thread::sleep_for(50us);
    };
    if (!wanted) return sleep(longest_);
    if (wanted != Phase::data && wanted != Phase::best_model) {  // late ones are seldom the best
      wait_for(Phase::compute);
      sleep(longest_ / 3);
    }
    if (wanted == Phase::compute) return;
    wait_for(*wanted);
    sleep(wanted == Phase::data ? longest_ / 3 : kMoment);
  }

  // Starts the command and kills one of its ranks; whether it was still there to be killed.
  bool kill_one(const std::string& name, std::optional<Phase> wanted) {
    Start start;
    start.run = file(name + "/run");
    start.ranks = start_ranks({command(name), command(name)});
    wait_for_moment(start, wanted);
    const size_t killed = random_() % 2;
    Phase phase = start.phase();
    if (phase == Phase::compute && is_waiting(killed)) phase = Phase::average;
    start.ranks[killed]->send(SIGKILL);
    const bool was_there = start.ranks[killed]->wait().signal == SIGKILL;
    end(*start.ranks[1 - killed]);
    if (was_there) ++kills_[phase];
    return was_there;
  }

  // As a launcher does: the other rank ends by itself, or is killed where it cannot know that the
  // killed one will never come.
  static void end(Process& rank) {
    for (auto left = 5s / 10ms; left > 0 && !rank.ended(); --left) {
      std::this_thread::sleep_for(10ms);
    }
    rank.send(SIGKILL);
    const Outcome outcome = rank.wait();
    EXPECT_TRUE(outcome.code == kFailed || outcome.code == kDone || outcome.signal == SIGKILL)
        << outcome.code << outcome.err;
  }

  // But of few dev rows, and of a start that was killed after its first updates and before its
  // first checkpoint.
  static void expect_no_warning(const std::string& messages) {
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(!holds(line, "warning") || holds(line, "no checkpoint is left") ||
                  holds(line, "dev rows: fewer than 30"))
          << messages;
    }
  }

  int kills() const {
    int sum = 0;
    for (const auto& [phase, count] : kills_) sum += count;
    return sum;
  }

  static constexpr double kMoment = 3e-3;  // seconds: a small checkpoint takes about as long
  double longest_ = 0;                     // seconds that a run takes
  std::map<Phase, int> kills_;
  std::mt19937 random_;
};

// RUBRIC_KILLS says how many; RUBRIC_TEST_SEED repeats a failure.
TEST_F(KilledRanks, AnyMomentChangesNothing) {
  write_file(file("train.json"), small_mocha(128).dump());
  const auto begin = Clock::now();
  expect_done(run_on(2, command("uninterrupted")));
  longest_ = Seconds(Clock::now() - begin).count();
  const auto expected = outcome_of("uninterrupted/run");
  const std::string kills = environment("RUBRIC_KILLS"), seed = environment("RUBRIC_TEST_SEED");
  const int wanted = kills.empty() ? 8 : std::stoi(kills);
  const auto number =
      seed.empty() ? std::random_device()() : static_cast<unsigned>(std::stoul(seed));
  random_.seed(number);

  const std::optional<Phase> moments[] = {Phase::data,       Phase::best_model, Phase::compute,
                                          Phase::checkpoint, Phase::compute,    Phase::publish,
                                          std::nullopt,      Phase::finish};
  for (int i = 0; KilledRanks::kills() < wanted; ++i) {
    const std::string name = "killed" + std::to_string(i);
    SCOPED_TRACE(name + ", RUBRIC_TEST_SEED=" + std::to_string(number));
    for (const auto& moment : moments) {
      const bool is_over = fs::exists(file(name + "/run/results.json"));
      if (!is_over && KilledRanks::kills() < wanted) kill_one(name, moment);
    }
    const std::vector<Outcome> outcomes = run_on(2, command(name));
    expect_done(outcomes);
    expect_no_warning(outcomes[0].err);
    expect_equal(outcome_of(name + "/run"), expected);
    fs::remove_all(file(name));
  }
  for (const auto& [phase, name] : kNames) {
    std::cout << "killed in " << name << ": " << kills_[phase] << "\n";
    EXPECT_TRUE(wanted < 100 || kills_[phase] > 0) << name;
  }
}

}  // namespace rubric::train::train_kills_test
