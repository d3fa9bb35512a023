// One update of the parameters: the train step.
#pragma once

#include "train/optimizer.h"
#include "train/task.h"

namespace rubric {

struct StepResult {
  double loss = 0;  // mean over the targets of the global batch
  double gradient_norm = 0;
  int64_t tokens = 0;
};

// Gradients of the mean loss over the global batch, clipped, and one update. The batch is
// computed in pieces of at most `max_tokens` tokens; its loss is divided by all of its targets, so
// the pieces do not show. `step` is the number of updates made before. Throws, without making the
// update, Error that names the examples when the loss or a gradient is not finite, and Interrupted
// when a stop is requested.
StepResult train_step(Task& task, Optimizer& optimizer, std::span<const int64_t> batch,
                      int64_t step, int64_t max_tokens, double learning_rate,
                      double max_gradient_norm);

}  // namespace rubric
