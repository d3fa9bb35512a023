// One update of the parameters: the train step.
#pragma once

#include "distributed/gradient_reducer.h"
#include "train/optimizers/optimizer.h"
#include "train/task.h"

namespace rubric {

struct StepResult {
  double loss = 0;  // mean over the targets of the global batch
  double gradient_norm = 0;
  int64_t tokens = 0, share_tokens = 0;  // of the global batch; of this rank's share
};

// Gradients of the mean loss over the global batch, clipped, and one update, the same on all ranks.
// Each rank computes a share of the batch in pieces of at most `max_tokens` tokens; the loss is
// divided by all targets of the batch, so neither shares nor pieces show. `reducer` is one of the
// optimizer's parameters, which adds them up during the last piece. `step` is the number of
// updates made before. Throws on all ranks, without making the update, Error that names the
// examples when the loss or a gradient is not finite, and Interrupted when a stop is requested on
// one.
StepResult train_step(Task& task, Optimizer& optimizer, GradientReducer& reducer,
                      const Ranks& ranks, std::span<const int64_t> batch, int64_t step,
                      int64_t max_tokens, double learning_rate, double max_gradient_norm);

}  // namespace rubric
