// The training loop: one for every task.
#pragma once

#include "config/train_config.h"
#include "train/checkpoints.h"
#include "train/task.h"

namespace rubric {

// Trains until the epochs are over or patience runs out, from the newest checkpoint of `run` when
// it has one; the state at the end. The best model by validation stands in the run directory under
// "best", its predictions under predictions/. After SIGINT or SIGTERM it throws Interrupted, with
// everything saved, as soon as the piece of a batch or of the validation data that is being
// computed is done. Throws Error when a loss or gradient is not finite, before the update is made.
TrainState train(Task& task, const TrainConfig& config, RunDirectory& run);

}  // namespace rubric
