#include "train/checkpoints.h"

#include <fstream>
#include <random>

#include "core/sealed_folder.h"
#include "distributed/some_ranks.h"
#include "distributed/together.h"
#include "messages.h"
#include "temporary_folder.h"
#include "train/adamw.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public testing::Test {
 protected:
  Checkpoints() {  // the model of the validation that state_of() calls the best
    run_.replace_directory("best", [](const fs::path& made) { write_file(made / "weights", "2"); });
  }

  // A model of one parameter of which every element is `value`, after as many updates.
  static AdamW model_of(float value) {
    AdamW optimizer({{"w", at::full({2, 3}, value).set_requires_grad(true), true}}, {});
    for (int i = 0; i < static_cast<int>(value); ++i) {
      const at::Tensor& tensor = optimizer.parameters()[0].tensor;
      tensor.mutable_grad() = at::full({2, 3}, value);
      optimizer.step(0);
    }
    return optimizer;
  }

  // After update `step`, of which each is in the log; validated after every other one.
  static TrainState state_of(int64_t step) {
    TrainState state;
    state.step = step;
    state.loss_sum = 0.1 * static_cast<double>(step);
    state.loss_steps = step % 2;
    for (int64_t at = 2; at <= step; at += 2) {
      state.validations.push_back({at, at / 2, 1.0 / 3, std::nullopt, at == 2});
      if (at > 2) state.validations.back().figure = -0.7;
    }
    return state;
  }

  void save(int64_t step, int64_t keep = 10) {
    save_checkpoint(Ranks(), &run_, state_of(step), model_of(static_cast<float>(step)), keep);
  }

  // The step that is gone on from, whose model must be its own; -1: none.
  int64_t resumed(int64_t keep = 10) {
    AdamW optimizer = model_of(0);
    const std::optional<Resumed> resumed = resume(run_, optimizer, keep);
    if (!resumed) return -1;
    const TrainState& state = resumed->state;
    const AdamW saved = model_of(static_cast<float>(state.step));
    EXPECT_TRUE(at::equal(optimizer.parameters()[0].tensor, saved.parameters()[0].tensor));
    optimizer.save(folder_.path() / "resumed");
    const std::string as_saved = folder_.file("saved" + std::to_string(state.step));
    if (!fs::exists(as_saved)) saved.save(as_saved);
    EXPECT_EQ(read_file(folder_.path() / "resumed"), read_file(as_saved));
    return state.step;
  }

  fs::path checkpoint(int64_t step) const {
    return folder_.path() / "run" / "checkpoints" / ("step-00000" + std::to_string(step));
  }

  // As if the file had been written like this.
  void write_sealed(int64_t step, const std::string& file, const std::string& text) const {
    write_file(checkpoint(step) / file, text);
    fs::remove(checkpoint(step) / kSeal);
    seal_folder(checkpoint(step));
  }

  TrainConfig config() const {
    TrainConfig config;
    config.output = folder_.file("run");
    return config;
  }

  TemporaryFolder folder_;
  RunDirectory run_{config(), Json(Json::Object()), Resume::automatic};
};

TEST_F(Checkpoints, GiveBackTheWholeState) {
  const TrainState expected = state_of(5);
  save(5);
  AdamW optimizer = model_of(0);
  const TrainState state = resume(run_, optimizer, 10).value().state;
  EXPECT_EQ(state.step, expected.step);
  EXPECT_EQ(state.loss_sum, expected.loss_sum);
  EXPECT_EQ(state.loss_steps, expected.loss_steps);
  ASSERT_EQ(state.validations.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(state.validations[i].step, expected.validations[i].step);
    EXPECT_EQ(state.validations[i].epoch, expected.validations[i].epoch);
    EXPECT_EQ(state.validations[i].train_loss, expected.validations[i].train_loss);
    EXPECT_EQ(state.validations[i].figure, expected.validations[i].figure);
    EXPECT_EQ(state.validations[i].is_best, expected.validations[i].is_best);
  }
  EXPECT_EQ(best_validation(state), &state.validations[0]);
  EXPECT_EQ(best_validation({}), nullptr);
}

TEST_F(Checkpoints, TheNewestOfThoseKeptIsTaken) {
  EXPECT_EQ(resumed(), -1);
  for (const int64_t step : {1, 2, 3}) save(step, 2);
  EXPECT_EQ(resumed(), 3);
  EXPECT_FALSE(fs::exists(checkpoint(1)));
  fs::remove(checkpoint(3) / "DONE");
  EXPECT_EQ(resumed(), 2);
}

// A kill in between saving one and removing the oldest leaves one too many.
TEST_F(Checkpoints, OlderOnesGoWhenARunGoesOn) {
  for (const int64_t step : {1, 2, 3, 4}) save(step);
  fs::remove(checkpoint(4) / "model.safetensors");
  EXPECT_EQ(resumed(1), 3);  // the good one stays, though another is newer
  EXPECT_TRUE(fs::exists(checkpoint(3)));
  EXPECT_FALSE(fs::exists(checkpoint(2)));
  EXPECT_FALSE(fs::exists(checkpoint(1)));
}

// A copy that somebody put aside, for one: neither gone on from nor counted nor deleted.
TEST_F(Checkpoints, OtherNamesAreNone) {
  save(1);
  const fs::path folder = checkpoint(1).parent_path();
  for (const char* name : {"step-000400-old", "step-0000009", "step-", "step-00000x", "step--00009",
                           "step-99999999999999999999", "step-000009.bak"}) {
    fs::copy(checkpoint(1), folder / name);
  }
  save(2, 1);
  EXPECT_EQ(resumed(), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 8);  // checkpoint 1 is gone
}

TEST_F(Checkpoints, ThoseOfMoreThanAMillionUpdatesAreNewer) {
  save(9);
  write_sealed(9, "state.json", R"({"step": 1000000, "loss_sum": 0, "loss_steps": 0,
                                    "validations": []})");
  fs::rename(checkpoint(9), checkpoint(9).parent_path() / "step-1000000");
  save(8);
  AdamW optimizer = model_of(0);
  EXPECT_EQ(resume(run_, optimizer, 10).value().state.step, 1'000'000);
}

TEST_F(Checkpoints, OneOfAnotherUpdateThanItsNameSaysIsNotUsed) {
  save(1);
  save(3);
  fs::rename(checkpoint(3), checkpoint(5));
  testing::internal::CaptureStderr();
  EXPECT_EQ(resumed(), 1);
  const std::string message = testing::internal::GetCapturedStderr();
  expect_contains(message, (checkpoint(5) / "state.json").string());
  expect_contains(message, "that of update 3");
}

// Else it would count among those that are kept, and the one saved next would go for it.
TEST_F(Checkpoints, ARefusedOneIsPutAside) {
  save(1);
  for (int time = 0; time < 2; ++time) {
    save(4);
    fs::resize_file(checkpoint(4) / "optimizer.safetensors", 7);
    EXPECT_EQ(resumed(1), time == 0 ? 1 : 2);
    EXPECT_FALSE(fs::exists(checkpoint(4)));
    EXPECT_EQ(fs::file_size(checkpoint(4).string() + ".refused/optimizer.safetensors"), 7U);
    save(2, 1);
    EXPECT_FALSE(fs::exists(checkpoint(1)));
  }
  EXPECT_EQ(resumed(1), 2);
}

TEST_F(Checkpoints, ADamagedBestModelIsNamedBeforeAnythingIsDone) {
  const fs::path weights = folder_.path() / "run" / "best" / "weights";
  const fs::path log = folder_.path() / "run" / "log.jsonl";
  save(1);
  save(3);
  run_.log(Json(Json::Object{{"event", "update"}}));
  const std::string logged = read_file(log);
  write_file(weights, "3");
  fs::resize_file(checkpoint(3) / "state.json", 7);
  EXPECT_EQ(resumed(), 1);  // before the first validation there is none
  save(3);
  write_file(log, logged);
  const std::string message = input_error([&] { resumed(); });
  expect_contains(message, "the best model of this run cannot be used: the file is damaged");
  expect_contains(message, weights.string());
  EXPECT_EQ(read_file(log), logged);
  fs::remove_all(weights.parent_path());
  expect_contains(input_error([&] { resumed(); }), "the best model of this run cannot be used");
}

TEST_F(Checkpoints, ADamagedOneIsNotUsed) {
  save(1);
  const auto with = [&](const std::string& before, const std::string& after) {
    save(3);
    std::string text = read_file(checkpoint(3) / "state.json");
    EXPECT_NE(text.find(before), std::string::npos) << before;
    write_sealed(3, "state.json", text.replace(text.find(before), before.size(), after));
    return resumed();
  };
  EXPECT_EQ(with("\"step\": 3", "\"step\": 3"), 3);
  EXPECT_EQ(with("\"step\": 3", "\"step\": -3"), 1);
  EXPECT_EQ(with("\"loss_steps\": 1", "\"loss_steps\": \"1\""), 1);
  EXPECT_EQ(with("\"best\": true", "\"best\": 1"), 1);
  EXPECT_EQ(with("\"validations\": [", "\"validations\": {}, \"x\": ["), 1);
  EXPECT_EQ(with("\"loss_sum\"", "\"loss\""), 1);
  for (const char* file : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    save(3);
    fs::resize_file(checkpoint(3) / file, 20);
    EXPECT_EQ(resumed(), 1) << file;
  }
  fs::remove(checkpoint(1) / "model.safetensors");
  expect_contains(input_error([&] { resumed(); }), "no checkpoint of this run can be read");
}

// Bits turned and ends cut off at random places of all its files. Each damage must be named, unless
// it changes nothing that is read; then all must be as it was saved.
TEST_F(Checkpoints, NoDamageGoesUnseen) {
  const std::string wanted = environment("RUBRIC_TEST_SEED");  // to repeat a failure
  const unsigned seed =
      wanted.empty() ? std::random_device()() : static_cast<unsigned>(std::stoul(wanted));
  std::mt19937_64 random(seed);
  const auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  const std::vector<std::string> names = {"model.safetensors", "optimizer.safetensors",
                                          "state.json", "DONE"};
  save(1);
  save(3);
  const fs::path aside = checkpoint(3).string() + ".refused";
  constexpr int kDamages = 1000;
  int refused = 0;
  for (int i = 0; i < kDamages; ++i) {
    const std::string name = names[below(names.size())];
    const std::string whole = read_file(checkpoint(3) / name);
    std::string damaged = whole;
    const size_t place = below(whole.size());
    if (i % 2 == 0) {
      damaged[place] = static_cast<char>(damaged[place] ^ (1 << below(8)));
    } else {
      damaged.resize(place);
    }
    SCOPED_TRACE(name + (i % 2 == 0 ? ", bit turned in byte " : ", cut at byte ") +
                 std::to_string(place) + ", RUBRIC_TEST_SEED=" + std::to_string(seed));
    std::ofstream(checkpoint(3) / name, std::ios::binary) << damaged;

    testing::internal::CaptureStderr();
    const int64_t step = resumed();  // compares with what was saved
    const std::string message = testing::internal::GetCapturedStderr();
    if (step == 3) {
      EXPECT_EQ(name, "DONE");  // blanks, and the end of its last line
      EXPECT_EQ(message, "");
    } else {
      ASSERT_EQ(step, 1);
      expect_contains(message, "this checkpoint is not used: ");
      expect_contains(message, (checkpoint(3) / (name == "DONE" ? "" : name)).string());
      fs::rename(aside, checkpoint(3));
      ++refused;
    }
    std::ofstream(checkpoint(3) / name, std::ios::binary) << whole;
  }
  EXPECT_GT(refused, kDamages * 9 / 10);
  EXPECT_EQ(resumed(), 3);
}

TEST_F(Checkpoints, ARunWhoseCheckpointsAreGoneSaysThatItBeginsAnew) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(resumed(), -1);  // nothing was logged: it is a new one
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  save(1);
  run_.log(Json(Json::Object{{"event", "update"}}));
  fs::remove_all(checkpoint(1));
  testing::internal::CaptureStderr();
  EXPECT_EQ(resumed(), -1);
  expect_contains(testing::internal::GetCapturedStderr(), "it begins anew");
}

TEST_F(Checkpoints, WhatWasLoggedLaterIsCut) {
  save(3);  // three updates and a validation
  std::string expected;
  for (int i = 0; i < 7; ++i) {
    Json event;
    event["event"] = i;
    run_.log(event);
    if (i < 4) expected += event.dump() + "\n";
  }
  resumed();
  const fs::path log = folder_.path() / "run" / "log.jsonl";
  EXPECT_EQ(read_file(log), expected);
  write_file(log, expected.substr(0, expected.size() - 1));  // the last line was torn
  resumed();
  EXPECT_EQ(read_file(log), expected.substr(0, expected.rfind('\n', expected.size() - 2) + 1));
}

// Three parameters after two updates, which are the same on all ranks.
std::unique_ptr<Optimizer> updated(const std::string& name, WorkShare share, const Ranks& ranks,
                                   int updates) {
  OptimizerConfig config;
  config.name = name;
  Parameters parameters;
  for (const int64_t size : {5, 3, 4}) {
    parameters.push_back({"p" + std::to_string(size), at::ones({size, 2}), true});
    parameters.back().tensor.set_requires_grad(true);
  }
  auto optimizer = make_optimizer(parameters, config, share);
  for (int i = 0; i < updates; ++i) {
    for (const Parameter& parameter : parameters) {
      parameter.tensor.mutable_grad() = at::full_like(parameter.tensor.detach(), 1.0 + i);
    }
    optimizer->step(1e-2);
    optimizer->exchange_updates(ranks);
  }
  return optimizer;
}

struct Writing {
  int ranks;
  bool has_shares;

  WorkShare share(const Ranks& of) const {
    return has_shares ? WorkShare{of.rank(), of.size()} : WorkShare{};
  }
};

// Saved by some ranks with shares or without, gone on from by others: then the next update gives
// the bits that it would have given.
TEST(SharedCheckpoints, ReloadOnAnyNumberOfRanksWithSharesOrWithout) {
  const Writing all[] = {{1, false}, {2, false}, {2, true}, {4, true}};
  for (const std::string name : {"adamw", "adafactor"}) {
    const TemporaryFolder reference;
    updated(name, {}, Ranks(), 3)->save(reference.file("after"));
    for (const Writing& saved : all) {
      for (const Writing& loaded : all) {
        const TemporaryFolder folder;
        SCOPED_TRACE(name + " of " + std::to_string(saved.ranks) + " on " +
                     std::to_string(loaded.ranks));
        TrainConfig config;
        config.output = folder.file("run");
        const auto open = [&](const Ranks& ranks) {
          return ranks.is_main() ? std::make_unique<RunDirectory>(config, Json(Json::Object()),
                                                                  Resume::automatic)
                                 : nullptr;
        };
        const auto saving = run_ranks(saved.ranks, [&](const Ranks& ranks) {
          const auto run = together(ranks, [&] { return open(ranks); });
          save_checkpoint(ranks, run.get(), {2, 0, 0, {}},
                          *updated(name, saved.share(ranks), ranks, 2), 1);
        });
        const fs::path checkpoint = folder.path() / "run" / "checkpoints" / "step-000002";
        for (int part = 1; saved.has_shares && part <= saved.ranks; ++part) {
          EXPECT_TRUE(
              fs::exists(checkpoint / ("optimizer-0000" + std::to_string(part) + "-of-0000" +
                                       std::to_string(saved.ranks) + ".safetensors")));
        }
        EXPECT_EQ(fs::exists(checkpoint / "optimizer.safetensors"), !saved.has_shares);

        const auto loading = run_ranks(loaded.ranks, [&](const Ranks& ranks) {
          const auto run = together(ranks, [&] { return open(ranks); });
          const auto optimizer = updated(name, loaded.share(ranks), ranks, 0);
          EXPECT_EQ(resume_together(ranks, run.get(), *optimizer, 1).step, 2);
          const auto expected = updated(name, {}, Ranks(), 3);
          for (const Parameter& parameter : optimizer->parameters()) {
            parameter.tensor.mutable_grad() = at::full_like(parameter.tensor.detach(), 3.0);
          }
          optimizer->step(1e-2);
          optimizer->exchange_updates(ranks);
          for (size_t i = 0; i < 3; ++i) {
            EXPECT_TRUE(
                at::equal(optimizer->parameters()[i].tensor, expected->parameters()[i].tensor));
          }
          optimizer->save(folder.file("after" + std::to_string(ranks.rank())));
        });
        for (const auto* outcomes : {&saving, &loading}) {
          for (const RankOutcome& outcome : *outcomes) {
            EXPECT_EQ(outcome.code, kDone) << outcome.message;
          }
        }
        if (!loaded.has_shares) {
          EXPECT_EQ(read_file(folder.file("after0")), read_file(reference.file("after")));
        }
      }
    }
  }
}

TEST(SharedCheckpoints, AMissingPartIsRefused) {
  const TemporaryFolder folder;
  TrainConfig config;
  config.output = folder.file("run");
  const auto outcomes = run_ranks(2, [&](const Ranks& ranks) {
    std::unique_ptr<RunDirectory> run;
    if (ranks.is_main()) {
      run = std::make_unique<RunDirectory>(config, Json(Json::Object()), Resume::automatic);
    }
    const auto optimizer = updated("adamw", {ranks.rank(), 2}, ranks, 2);
    save_checkpoint(ranks, run.get(), {2, 0, 0, {}}, *optimizer, 1);
    if (ranks.is_main()) {
      fs::remove(folder.path() /
                 "run/checkpoints/step-000002/optimizer-00002-of-00002.safetensors");
    }
    resume_together(ranks, run.get(), *optimizer, 1);
  });
  EXPECT_EQ(outcomes[0].code, kBadInput);
  expect_contains(outcomes[0].message, "no checkpoint of this run can be read");
  EXPECT_EQ(outcomes[1].code, kBadInput);
}

// As if each rank had a disk of its own.
TEST(SharedCheckpoints, ARankThatDoesNotSeeTheRunDirectoryIsNamed) {
  const TemporaryFolder folder;
  TrainConfig config;
  config.output = folder.file("run");
  const auto outcomes = run_ranks(2, [&](const Ranks& ranks) {
    std::unique_ptr<RunDirectory> run;
    if (ranks.is_main()) {
      run = std::make_unique<RunDirectory>(config, Json(Json::Object()), Resume::automatic);
      fs::rename(folder.path() / "run", folder.path() / "elsewhere");
    }
    const auto optimizer = updated("adamw", {ranks.rank(), 2}, ranks, 0);
    resume_together(ranks, run.get(), *optimizer, 1);
  });
  EXPECT_EQ(outcomes[0].code, kBadInput);
  expect_contains(outcomes[0].message, "the run directory is not here");
  expect_contains(outcomes[0].message, "optimizer.shard");
}

}  // namespace
}  // namespace rubric
