#include "train/optimizer.h"

#include <gtest/gtest.h>

#include "train/adafactor.h"
#include "train/adamw.h"

namespace rubric {
namespace {

TEST(MakeOptimizer, IsAsTheConfigurationSays) {
  OptimizerConfig config;
  EXPECT_NE(dynamic_cast<AdamW*>(make_optimizer({}, config).get()), nullptr);
  config.name = "adafactor";
  EXPECT_NE(dynamic_cast<Adafactor*>(make_optimizer({}, config).get()), nullptr);
}

}  // namespace
}  // namespace rubric
