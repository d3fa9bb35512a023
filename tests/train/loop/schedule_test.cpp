#include <gtest/gtest.h>

#include "train/loop/loop.h"

namespace rubric::train {
namespace {

// get_linear_schedule_with_warmup and get_constant_schedule_with_warmup, by their definitions.
TEST(Schedule, IsAsTheConfigurationSays) {
  OptimizerConfig config;
  config.warmup_steps = 4;
  for (const auto& [done, linear, constant] :
       {std::tuple(0, 0.0, 0.0), {1, 0.25, 0.25}, {4, 1.0, 1.0}, {9, 0.5, 1.0}, {14, 0.0, 1.0}}) {
    config.schedule = "linear";
    EXPECT_DOUBLE_EQ(schedule_factor(config, done, 14), linear) << done;
    config.schedule = "constant";
    EXPECT_DOUBLE_EQ(schedule_factor(config, done, 14), constant) << done;
  }
  config.warmup_steps = 0;
  EXPECT_EQ(schedule_factor(config, 0, 14), 1);
}

}  // namespace
}  // namespace rubric::train
