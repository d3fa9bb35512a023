#include <filesystem>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"
#include "train/loop/loop.h"

namespace rubric::train::schedule_test {

TEST(Schedule, IsAsTransformersHasIt) {
  const Json cases =
      Json::parse_file(std::filesystem::path(fixtures_folder()) / "training" / "schedules.json");
  int compared = 0;
  for (const Json& one : cases.array()) {
    OptimizerConfig config;
    config.schedule = one.require_string("schedule", "");
    config.warmup_steps = one.require_integer("warmup_steps", "");
    const int64_t total = one.require_integer("total_steps", "");
    int64_t done = 0;
    for (const Json& factor : one.require_array("factors", "")) {
      EXPECT_NEAR(schedule_factor(config, done, total), factor.number(), 1e-15)
          << config.schedule << " " << config.warmup_steps << " " << total << " " << done;
      ++done;
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

}  // namespace rubric::train::schedule_test
