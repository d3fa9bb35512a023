#include "train/loop/loop.h"

#include <algorithm>
#include <csignal>
#include <optional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/signals.h"
#include "core/system/terminal.h"
#include "distributed/some_ranks.h"
#include "temporary_folder.h"
#include "train/checkpoints/checkpoints.h"

namespace rubric::train::loop_test {

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
  Validation validate(const distributed::Ranks&) override {
    if (next_ == stop) raise(SIGTERM);
    end_if_stop_requested();
    const double figure = next_ < figures.size() ? figures[next_] : x_.item<double>();
    ++next_;
    Json row;
    row["figure"] = figure;
    return {figure, "x", Json(Json::Object()), {row}};
  }
  void save(const fs::path& directory, const Validation&) override {
    write_file(directory / "x", std::to_string(x_.item<double>()));
  }
  bool starts_trained() const override { return is_trained; }

  bool is_trained = false;

  std::optional<size_t> stop;   // the validation in the middle of which it asks for a stop
  std::vector<double> figures;  // of its validations; after the last x itself

 private:
  size_t next_ = 0;
  std::vector<int64_t> lengths_ = {1, 1, 1, 1};
  at::Tensor x_ = at::zeros({1}).set_requires_grad(true);
};

struct Loop : testing::Test {
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
      if (stops) task.stop = 0;
      try {
        RunDirectory run(config, Json(Json::Object()), Resume::automatic);
        train(task, config, distributed::Ranks(), &run);
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

// Runs of two updates an epoch, by default four epochs with a validation each.
struct LoopGoesBack : Loop {
  // Trains to the end, from where the run stands, with validations that give these figures; in the
  // one of index `stop` comes a request to stop.
  TrainState train_with(const std::vector<double>& figures, std::optional<size_t> stop = {}) const {
    RunConfig settings;
    settings.epochs = 4;
    settings.patience = 1;
    return train_with_settings(settings, figures, stop);
  }

  TrainState train_with_settings(const RunConfig& settings, const std::vector<double>& figures,
                                 std::optional<size_t> stop = {}, bool extend = false,
                                 bool is_trained = false) const {
    TrainConfig config;
    config.output = run().string();
    config.batches.size = 2;
    config.run = settings;
    config.run.keep_checkpoints = 10;
    OneNumber task;
    task.figures = figures;
    task.stop = stop;
    task.is_trained = is_trained;
    RunDirectory directory(config, Json(Json::Object()), Resume::automatic, extend);
    const TrainState state = train(task, config, distributed::Ranks(), &directory);
    // The best model is the one that the state calls the best.
    const ValidationPoint* best = best_validation(state);
    const Json saved = Json::parse_file(run() / "best/validation.json");
    EXPECT_EQ(saved.dump(), to_json(*best).dump());
    EXPECT_EQ(best_model_step(run()), best->step);
    const Json predicted = Json::parse_file(run() / "predictions/dev.jsonl");
    EXPECT_EQ(predicted.require_number("figure", ""), best->value);
    return state;
  }

  // As a kill does after the best model was saved and before its checkpoint was, or damage to
  // checkpoints.
  void go_back_to(int64_t step) const {
    for (int64_t later = 8; later > step; --later) {
      fs::remove_all(run() / "checkpoints" / ("step-00000" + std::to_string(later)));
    }
  }

  fs::path run() const { return folder_.path() / "run"; }
};

TEST_F(LoopGoesBack, TheSameUpdatesAgainChangeNothing) {
  const RankOutcome outcome = run_apart([&] {
    for (const int64_t step : {6, 2}) {
      const std::string whole = to_json(train_with({1, 2, 3, 4})).dump();
      const std::string done = read_file(run() / "best/DONE");
      go_back_to(step);
      const std::vector<double> figures = {2, 3, 4};
      EXPECT_EQ(to_json(train_with({figures.begin() + step / 2 - 1, figures.end()})).dump(), whole);
      EXPECT_EQ(read_file(run() / "best/DONE"), done);
      fs::remove_all(run());
    }
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

// On another number of ranks a narrow gain may be none.
TEST_F(LoopGoesBack, ABestModelOfUpdatesThatComeOutOtherwiseIsReplaced) {
  const RankOutcome outcome = run_apart([&] {
    train_with({1, 2, 3, 4});
    go_back_to(6);
    TrainState state = train_with({3});  // was 4, and would be no gain
    EXPECT_EQ(best_validation(state)->step, 8);
    EXPECT_EQ(best_validation(state)->value, 3);

    go_back_to(2);
    state = train_with({1, 0.9, 0.8});  // would be over after update 4: there is no patience left
    EXPECT_EQ(best_validation(state)->step, 8);
    EXPECT_EQ(best_validation(state)->value, 0.8);

    go_back_to(2);
    state = train_with({2, 1});  // a gain before: best/ is replaced, and patience counts again
    EXPECT_EQ(best_validation(state)->step, 4);
    EXPECT_EQ(state.step, 6);
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

// best/ comes from update 6, which the extension does not validate; its patience is used up there.
TEST_F(LoopGoesBack, ABestModelIsReplacedWhereAnExtensionValidatesOtherUpdates) {
  const RankOutcome outcome = run_apart([&] {
    RunConfig settings;
    settings.epochs = 3;
    settings.patience = 2;
    train_with_settings(settings, {1, 0.5, 2});
    EXPECT_EQ(best_model_step(run()), 6);
    go_back_to(4);
    settings.epochs = 4;
    settings.validate_every = 7;
    settings.patience = 1;
    const TrainState state = train_with_settings(settings, {0.5, 0.6}, {}, /*extend=*/true);
    EXPECT_EQ(best_validation(state)->step, 8);
    EXPECT_EQ(state.validations.size(), 4U);  // after updates 2, 4, 7 and 8
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

// It ends before the update of best/.
TEST_F(LoopGoesBack, ABestModelIsReplacedAtTheEndOfAShorterRun) {
  const RankOutcome outcome = run_apart([&] {
    train_with({1, 2, 3, 4});
    go_back_to(4);
    RunConfig settings;
    settings.epochs = 3;
    settings.patience = 1;
    const TrainState state = train_with_settings(settings, {0.5}, {}, /*extend=*/true);
    EXPECT_EQ(best_validation(state)->step, 6);
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

// It was stopped, and then made twice with a kill in between.
TEST_F(LoopGoesBack, ABestModelOfTheValidationThatIsDueIsReplaced) {
  const fs::path checkpoint = run() / "checkpoints/step-000008", aside = folder_.path() / "aside";
  const RankOutcome stopped = run_apart([&] {
    catch_stop_signals();
    train_with({1, 2, 3, 4}, 3);
  });
  EXPECT_EQ(stopped.code, kInterrupted) << stopped.message;
  fs::copy(checkpoint, aside);
  const RankOutcome outcome = run_apart([&] {
    EXPECT_EQ(best_validation(train_with({4}))->step, 8);
    fs::remove_all(checkpoint);
    fs::copy(aside, checkpoint);
    EXPECT_EQ(best_validation(train_with({3}))->step, 8);
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

// It is validated before the first update, and kept where no update is better.
TEST_F(LoopGoesBack, ATrainedStartMayStayTheBest) {
  const RankOutcome outcome = run_apart([&] {
    RunConfig settings;
    settings.epochs = 4;
    const auto train_from = [&](const std::vector<double>& figures) {
      return train_with_settings(settings, figures, {}, /*extend=*/false, /*is_trained=*/true);
    };
    TrainState state = train_from({3, 1, 3, 2, 1});
    ASSERT_EQ(state.validations.size(), 5u);
    EXPECT_EQ(state.validations[0].step, 0);
    EXPECT_EQ(state.validations[0].epoch, 0);
    EXPECT_EQ(state.validations[0].train_loss, std::nullopt);
    EXPECT_TRUE(state.validations[1].train_loss.has_value());
    EXPECT_EQ(best_validation(state)->step, 0);
    EXPECT_EQ(read_file(run() / "best/x"), "0.000000");  // untrained
    const std::string whole = to_json(state).dump();
    go_back_to(4);
    EXPECT_EQ(to_json(train_from({2, 1})).dump(), whole);  // it is not validated twice
    fs::remove_all(run());

    settings.patience = 2;  // counts from the start, too
    state = train_from({3, 1, 2, 4, 5});
    EXPECT_EQ(state.validations.size(), 3u);
    fs::remove_all(run());
    state = train_from({3, 1, 4, 5, 2});
    EXPECT_EQ(best_validation(state)->step, 6);
    fs::remove_all(run());
    settings.patience = 5;
    // A gain over the start that prints as 0.0000 is a tie; over an update it is a gain.
    state = train_from({3, 3.00004, 3.00003, 2, 2});
    EXPECT_EQ(best_validation(state)->step, 0);
    fs::remove_all(run());
    state = train_from({3, 3.00004, 3.0001, 3.00011, 2});
    EXPECT_EQ(best_validation(state)->step, 6);
  });
  EXPECT_EQ(outcome.code, kDone) << outcome.message;
}

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

}  // namespace rubric::train::loop_test
