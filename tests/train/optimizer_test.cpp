#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "train/adafactor.h"
#include "train/adamw.h"

namespace rubric {
namespace {

TEST(GradientNorm, CountsAParameterWithoutGradientAsZero) {
  at::Tensor with = at::zeros({2}), without = at::zeros({2});
  with.set_requires_grad(true);
  with.mutable_grad() = at::full({2}, 3.0f);
  EXPECT_NEAR(gradient_norm({{"a", with, true}, {"b", without, true}}), std::sqrt(18.0), 1e-6);
}

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

TEST(MakeOptimizer, IsAsTheConfigurationSays) {
  OptimizerConfig config;
  EXPECT_NE(dynamic_cast<AdamW*>(make_optimizer({}, config).get()), nullptr);
  config.name = "adafactor";
  EXPECT_NE(dynamic_cast<Adafactor*>(make_optimizer({}, config).get()), nullptr);
}

}  // namespace
}  // namespace rubric
