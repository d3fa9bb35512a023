// How the learning rate goes up and down.
#pragma once

#include <cstdint>

#include "train/settings/train_config.h"

namespace rubric {

// The factor on the peak learning rate for the update after `done` updates of `total`: up linearly
// over the warm-up, then down linearly to 0 (transformers' get_linear_schedule_with_warmup).
double linear_schedule(int64_t done, int64_t warmup, int64_t total);

// As config.schedule says; "constant" goes up the same way and stays
// (get_constant_schedule_with_warmup).
double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total);

}  // namespace rubric
