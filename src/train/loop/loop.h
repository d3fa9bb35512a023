// The training loop: one for every task.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "distributed/gradient_reducer.h"
#include "distributed/ranks.h"
#include "train/checkpoints/checkpoints.h"
#include "train/optimizers/optimizer.h"
#include "train/settings/train_config.h"
#include "train/task.h"

namespace rubric::train {

// Trains until the epochs are over or patience runs out, from the newest checkpoint of `run` when
// it has one; the state at the end. The best model by validation stands in the run directory under
// "best", its predictions under predictions/. Only rank 0 has a run directory; on the others `run`
// is null. After SIGINT or SIGTERM on any rank all throw Interrupted, with everything saved, as
// soon as each has done the piece of a batch that it is computing, or its share of the validation
// data. Throws Error when a loss or gradient is not finite, before the update is made.
TrainState train(Task& task, const TrainConfig& config, const distributed::Ranks& ranks,
                 RunDirectory* run);

// One update of the parameters: the train step.

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
StepResult train_step(Task& task, Optimizer& optimizer, distributed::GradientReducer& reducer,
                      const distributed::Ranks& ranks, std::span<const int64_t> batch, int64_t step,
                      int64_t max_tokens, double learning_rate, double max_gradient_norm);

// The gradients of all parameters together: their norm, and clipping by it.

// The 2-norm over all gradients together. A parameter without gradient counts as 0.
double gradient_norm(const Parameters& parameters);

// Scales all gradients by max_norm / (norm + 1e-6) where that is below 1, as torch's
// clip_grad_norm_ does.
void clip_gradients(const Parameters& parameters, double norm, double max_norm);

// How the learning rate goes up and down.

// The factor on the peak learning rate for the update after `done` updates of `total`: up linearly
// over the warm-up, then down linearly to 0 (transformers' get_linear_schedule_with_warmup).
double linear_schedule(int64_t done, int64_t warmup, int64_t total);

// As config.schedule says; "constant" goes up the same way and stays
// (get_constant_schedule_with_warmup).
double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total);

// Which rank the others wait for.

// What a rank has computed: for how many seconds, without those it has waited for others, and how
// many tokens.
struct Work {
  double seconds = 0, tokens = 0;
};

struct Straggler {
  int rank;
  double times;  // as long as the median rank takes for as many tokens
};

// The rank that took longest, where that was more than 1.5 times as long as the median rank took
// (of an even number the lower), and more than 1.5 times as long for each token. Either alone says
// nothing: a rank with twice the rows takes longer, and what takes as long whatever the rows are is
// more for each token of a rank with few. Ranks that had no tokens do not count.
std::optional<Straggler> slow_rank(std::span<const Work> ranks);

class StragglerDetector {
 public:
  // Every rank calls it after every update, with the work of its share. After each 50 updates the
  // slow_rank() of them, on all ranks.
  std::optional<Straggler> add(const Work& work, const distributed::Ranks& ranks);

 private:
  Work work_;  // in the updates since the last look
  int64_t updates_ = 0;
};

}  // namespace rubric::train
