// The training loop: one for every task.
#pragma once

#include "config/train_config.h"
#include "train/run_directory.h"
#include "train/task.h"

namespace rubric {

struct TrainResult {
  int64_t steps = 0, best_step = 0;
  std::optional<double> best_figure;  // nothing: undefined at every validation
};

// Trains until the epochs are over or patience runs out, from the newest checkpoint of `run` when
// it has one. The best model by validation stands in the run directory under "best", its
// predictions under predictions/. Throws Interrupted, with everything saved, after SIGINT or
// SIGTERM; Error when a loss or gradient is not finite, before the update is made.
TrainResult train(Task& task, const TrainConfig& config, RunDirectory& run);

}  // namespace rubric
