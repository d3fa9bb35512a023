#include <gtest/gtest.h>

#include "eval/report/plots.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval {
namespace {

TEST(LearningCurves, ReadTheLog) {
  const TemporaryFolder folder;
  std::string log;
  for (int step = 1; step <= 400; ++step) {
    log += "{\"event\": \"update\", \"step\": " + std::to_string(step) +
           ", \"loss\": " + std::to_string(step % 2) + "}\n";
  }
  log += R"({"event": "validation", "step": 200, "figure": "Pearson's r", "value": null}
{"event": "validation", "step": 400, "figure": "Pearson's r", "value": 0.5}
)";
  const std::vector<Plot> plots = learning_curves(folder.write("log.jsonl", log));
  ASSERT_EQ(plots.size(), 2u);
  expect_contains(plots[0].title, "means of neighbouring updates");
  EXPECT_TRUE(plots[0].starts_at_zero);
  const std::vector<PlotPoint>& losses = plots[0].series.at(0).points;
  ASSERT_EQ(losses.size(), 200u);  // of two updates each
  EXPECT_EQ(losses[1].x, 4);
  EXPECT_EQ(losses[1].y, 0.5);
  EXPECT_EQ(losses[1].title, "update 4: loss 0.5");
  expect_contains(plots[1].title, "Pearson's r");
  const std::vector<PlotPoint>& values = plots[1].series.at(0).points;
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].x, 400);
  EXPECT_EQ(values[0].y, 0.5);
  EXPECT_TRUE(learning_curves(folder.write("empty.jsonl", "")).empty());
}

}  // namespace
}  // namespace rubric::eval
