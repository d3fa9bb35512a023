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
  expect_contains(plots[0].commands, "$points << EOD\n2\t0.5\n4\t0.5\n");  // 200 points of two
  expect_contains(plots[1].title, "Pearson's r");
  expect_contains(plots[1].commands, "$points << EOD\n400\t0.5\nEOD\n");
  EXPECT_TRUE(learning_curves(folder.write("empty.jsonl", "")).empty());
}

}  // namespace
}  // namespace rubric::eval
