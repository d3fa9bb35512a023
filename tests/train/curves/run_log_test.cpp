#include "train/curves/run_log.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "messages.h"
#include "temporary_folder.h"
#include "train/curves/run_log_lines.h"

namespace rubric::train {
namespace {

class RunLogs : public testing::Test {
 protected:
  RunLogs() { folder_.write("run/config.yaml", "task: lerc\n"); }

  void append(const std::string& text) const {
    std::ofstream(folder_.file("run/log.jsonl"), std::ios::app) << text;
  }

  std::string run() const { return folder_.file("run"); }

  TemporaryFolder folder_;
};

TEST_F(RunLogs, AreReadAsTheyGrow) {
  RunLog log(run());
  log.update();  // there is none yet
  EXPECT_EQ(log.curves().step, 0);
  EXPECT_FALSE(seconds_left(log.curves()));
  EXPECT_FALSE(recent_loss(log.curves()));
  EXPECT_FALSE(log.seconds_since_last());
  append("");
  log.update();
  EXPECT_EQ(log.curves().step, 0);

  append(update_line(1, 40, 4.0));
  const std::string second = update_line(2, 40, 2.0);
  append(second.substr(0, 20));  // torn
  log.update();
  EXPECT_EQ(log.curves().losses, (CurvePoints{{1, 4.0}}));
  EXPECT_EQ(log.curves().steps, 40);
  EXPECT_EQ(seconds_left(log.curves()), 39 * 0.5);
  append(second.substr(20) + validation_line(2, 0.25, 0.75, true));
  log.update();
  EXPECT_EQ(log.curves().losses, (CurvePoints{{1, 4.0}, {2, 2.0}}));
  EXPECT_EQ(recent_loss(log.curves()), 3.0);
  EXPECT_EQ(log.curves().dev_losses, (CurvePoints{{2, 0.25}}));
  EXPECT_EQ(log.curves().values, (CurvePoints{{2, 0.75}}));
  EXPECT_EQ(log.curves().metric, "pearson");
  EXPECT_EQ(seconds_left(log.curves()), 38 * (2 * 0.5 + 1.0) / 2);  // validations are counted
  append(update_line(3, 40, 1.0) + validation_line(3, 0.5, 0.5, false) +
         R"({"event": "extended", "step": 3, "steps": 60, "changes": {}})" + "\n");
  log.update();
  EXPECT_EQ(log.curves().best, (std::pair<double, double>{2, 0.75}));
  EXPECT_EQ(log.curves().steps, 60);
  EXPECT_EQ(log.curves().values.size(), 2U);
  EXPECT_FALSE(log.is_finished());
  folder_.write("run/results.json", "{}");
  EXPECT_TRUE(log.is_finished());
}

TEST_F(RunLogs, AreReadAgainWhereTheyWereCut) {
  append(update_line(1, 9, 4.0) + update_line(2, 9, 2.0));
  RunLog log(run());
  log.update();
  EXPECT_EQ(log.curves().step, 2);
  write_file(folder_.file("run/log.jsonl"), update_line(1, 9, 4.0));  // another file of that name
  log.update();
  EXPECT_EQ(log.curves().losses, (CurvePoints{{1, 4.0}}));
}

TEST_F(RunLogs, OfOlderBuildsHaveNoLengthAndNoDevLoss) {
  append(R"({"event": "update", "step": 1, "loss": 2, "lr": 0.1, "tokens_per_second": 9})"
         "\n"
         R"({"event": "validation", "step": 1, "figure": "pearson", "value": null, "best": true})"
         "\n");
  RunLog log(run());
  log.update();
  EXPECT_EQ(log.curves().steps, 0);
  EXPECT_FALSE(seconds_left(log.curves()));
  EXPECT_TRUE(log.curves().dev_losses.empty());
  EXPECT_TRUE(log.curves().values.empty());
  EXPECT_FALSE(log.curves().best);
}

TEST_F(RunLogs, WhatIsNoLogIsNamed) {
  const auto problem = [&](const std::string& line) {
    write_file(folder_.file("run/log.jsonl"), update_line(1, 9, 4.0) + line + "\n");
    RunLog log(run());
    return input_error([&] { log.update(); });
  };
  for (const std::string line : {"not JSON", "[]", "{}", R"({"event": "update"})",
                                 R"({"event": "update", "step": "x"})", ""}) {
    expect_contains(problem(line), "log.jsonl:2");
  }
  EXPECT_EQ(problem(R"({"event": "of a later version"})"), "accepted");
  expect_contains(input_error([&] { RunLog(folder_.file("absent")); }), "there is no such folder");
  folder_.write("other/log.jsonl", "");
  expect_contains(input_error([&] { RunLog(folder_.file("other")); }),
                  "this is not the folder of a run: it has no config.yaml");
}

}  // namespace
}  // namespace rubric::train
