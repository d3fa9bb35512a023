#include "train/loop.h"

#include <algorithm>
#include <csignal>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/signals.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// One parameter that is drawn to 1, by four examples.
class OneNumber : public Task {
 public:
  std::span<const int64_t> lengths() const override { return lengths_; }
  double targets(std::span<const int64_t> examples) const override {
    return static_cast<double>(examples.size());
  }
  at::Tensor loss_sum(std::span<const int64_t> examples, int64_t) override {
    return (x_ - 1).square().sum() * targets(examples);
  }
  std::string describe() const override { return "one number"; }
  std::string example_name(int64_t example) const override { return std::to_string(example); }
  Parameters parameters() override { return {{"x", x_, false}}; }
  Validation validate(const Ranks&) override {
    if (stops) raise(SIGTERM);
    end_if_stop_requested();
    return {x_.item<double>(), "x", Json(Json::Object()), {}};
  }
  void save(const fs::path& directory, const Validation&) override {
    write_file(directory / "x", std::to_string(x_.item<double>()));
  }

  bool stops = false;  // asks for a stop in the middle of validation

 private:
  std::vector<int64_t> lengths_ = {1, 1, 1, 1};
  at::Tensor x_ = at::zeros({1}).set_requires_grad(true);
};

class Loop : public testing::Test {
 protected:
  // In a process of its own, as a request to stop is a whole process's; its exit code.
  int train_once(bool stops) const {
    const pid_t child = fork();
    if (child == 0) {
      set_quiet(true);
      catch_stop_signals();
      TrainConfig config;
      config.output = folder_.file("run");
      config.batches.size = 2;
      config.run.epochs = 1;
      OneNumber task;
      task.stops = stops;
      try {
        RunDirectory run(config, Json(Json::Object()), Resume::automatic);
        train(task, config, Ranks(), &run);
      } catch (const Interrupted&) {
        _exit(kInterrupted);
      } catch (...) {
        _exit(kFailed);
      }
      _exit(kDone);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  int64_t events() const {
    const std::string log = read_file(folder_.path() / "run" / "log.jsonl");
    return std::count(log.begin(), log.end(), '\n');
  }

  bool has(const std::string& name) const { return fs::exists(folder_.path() / "run" / name); }

  TemporaryFolder folder_;
};

TEST_F(Loop, AStopInAValidationSavesTheUpdateBeforeIt) {
  for (int start = 0; start < 2; ++start) {  // the second goes on to the same place
    EXPECT_EQ(train_once(true), kInterrupted);
    EXPECT_EQ(events(), 2);  // updates, no validation
    EXPECT_TRUE(has("checkpoints/step-000002/DONE"));
    EXPECT_FALSE(has("best"));
  }
  EXPECT_EQ(train_once(false), kDone);
  EXPECT_EQ(events(), 3);
  EXPECT_TRUE(has("best/x"));
}

}  // namespace
}  // namespace rubric
