// The training loop: one for every task.
#pragma once

#include "train/settings/train_config.h"
#include "train/checkpoints/checkpoints_part.h"
#include "train/task.h"

namespace rubric {

// Trains until the epochs are over or patience runs out, from the newest checkpoint of `run` when
// it has one; the state at the end. The best model by validation stands in the run directory under
// "best", its predictions under predictions/. Only rank 0 has a run directory; on the others `run`
// is null. After SIGINT or SIGTERM on any rank all throw Interrupted, with everything saved, as
// soon as each has done the piece of a batch that it is computing, or its share of the validation
// data. Throws Error when a loss or gradient is not finite, before the update is made.
TrainState train(Task& task, const TrainConfig& config, const Ranks& ranks, RunDirectory* run);

}  // namespace rubric
