#include "train/checkpoints.h"

#include "messages.h"
#include "temporary_folder.h"
#include "train/adamw.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

class Checkpoints : public testing::Test {
 protected:
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
    save_checkpoint(run_, state_of(step), model_of(static_cast<float>(step)), keep);
  }

  // The step that is gone on from, whose model must be its own; -1: none.
  int64_t resumed(int64_t keep = 10) {
    AdamW optimizer = model_of(0);
    const std::optional<TrainState> state = resume(run_, optimizer, keep);
    if (!state) return -1;
    const AdamW saved = model_of(static_cast<float>(state->step));
    EXPECT_TRUE(at::equal(optimizer.parameters()[0].tensor, saved.parameters()[0].tensor));
    optimizer.save(folder_.path() / "resumed");
    saved.save(folder_.path() / "saved");
    EXPECT_EQ(read_file(folder_.path() / "resumed"), read_file(folder_.path() / "saved"));
    return state->step;
  }

  fs::path checkpoint(int64_t step) const {
    return folder_.path() / "run" / "checkpoints" / ("step-00000" + std::to_string(step));
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
  const TrainState state = resume(run_, optimizer, 10).value();
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
  fs::rename(checkpoint(9), checkpoint(9).parent_path() / "step-1000000");
  save(8);
  EXPECT_EQ(resumed(), 9);
}

TEST_F(Checkpoints, ADamagedOneIsNotUsed) {
  save(1);
  save(3);
  const std::string good = read_file(checkpoint(3) / "state.json");
  const auto with = [&](const std::string& before, const std::string& after) {
    std::string text = good;
    EXPECT_NE(text.find(before), std::string::npos) << before;
    write_file(checkpoint(3) / "state.json", text.replace(text.find(before), before.size(), after));
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

}  // namespace
}  // namespace rubric
