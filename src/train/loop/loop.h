// The training loop, one for every task, with its train step, gradient clipping, learning-rate
// schedule and straggler detection.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "distributed/gradient_reducer.h"
#include "distributed/ranks.h"
#include "train/checkpoints/checkpoints.h"
#include "train/optimizers/optimizer.h"
#include "train/settings/train_config.h"
#include "train/task.h"

namespace rubric::train {

// The length of a run, in updates.
struct RunLength {
  int64_t epoch, total;
};
RunLength run_length(const Task& task, const TrainConfig& config);

// Called on rank 0 after each validation and after a stop, when all is saved.
using Saved = std::function<void(const TrainState& state, bool is_stopped)>;

// Trains until the epochs are over or early stopping ends the run (config.run.patience), resuming
// from the newest checkpoint of `run` if there is one; returns the final state. The run directory
// keeps the best model by validation in best/ and its predictions in predictions/. Only rank 0 has
// a run directory; `run` is null on the others. After SIGINT or SIGTERM on any rank all throw
// Interrupted, with everything saved, as soon as each has finished its current micro-batch or its
// share of the validation data. Throws Error when a loss or gradient is not finite, before the
// update is made, and InputError when the run cannot go on with `config`: it has made more updates
// already, or config.run.patience has ended it and only the epochs were changed.
TrainState train(Task& task, const TrainConfig& config, const distributed::Ranks& ranks,
                 RunDirectory* run, const Saved& saved = {});

// The train step.

struct StepResult {
  double loss = 0;  // mean over the targets of the global batch
  double gradient_norm = 0;
  int64_t tokens = 0, share_tokens = 0;  // of the global batch; of this rank's share
};

// Computes the gradients of the mean loss over the global batch, clips them, and makes one update,
// the same on all ranks. Each rank computes its share of the batch in micro-batches of at most
// `max_tokens` tokens; each loss is divided by the number of targets of the whole batch, so the
// result depends on neither shares nor micro-batches. `reducer`, built on the optimizer's
// parameters, sums the gradients over ranks during the last micro-batch. `step` is the number of
// updates made before. Throws on all ranks, without making the update, Error naming the examples
// when the loss or a gradient is not finite, and Interrupted when a stop is requested on one.
StepResult train_step(Task& task, Optimizer& optimizer, distributed::GradientReducer& reducer,
                      const distributed::Ranks& ranks, std::span<const int64_t> batch, int64_t step,
                      int64_t max_tokens, double learning_rate, double max_gradient_norm);

// Gradient clipping.

// The 2-norm of all gradients as one vector. A parameter without gradient counts as 0.
double gradient_norm(const Parameters& parameters);

// Scales all gradients by max_norm / (norm + 1e-6) when that is below 1, as torch's clip_grad_norm_
// does.
void clip_gradients(const Parameters& parameters, double norm, double max_norm);

// Learning-rate schedules.

// The factor on the peak learning rate for the update after `done` of `total` updates. It rises
// linearly during config.warmup_steps; then by config.schedule, as transformers'
// get_SCHEDULE_schedule_with_warmup: "linear" falls to 0 at `total`, "cosine" falls there as half a
// period of a cosine does, "constant" stays at 1 and does not depend on `total`.
double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total);

// Straggler detection: which rank the others wait for.

// A rank's work: seconds of computation, without waiting for other ranks, and tokens.
struct Work {
  double seconds = 0, tokens = 0;
};

struct Straggler {
  int rank;
  double times;  // its time per token over the median rank's
};

// Returns the rank that took longest when it took more than 1.5 times the median rank's time (the
// lower median) and more than 1.5 times the median time per token. One of the two is not enough for
// a straggler: a rank with twice the rows takes longer, and fixed costs weigh more per token on a
// rank with few rows. Ranks without tokens do not count.
std::optional<Straggler> slow_rank(std::span<const Work> ranks);

class StragglerDetector {
 public:
  // Collective, called after every update with the work of this rank's share. Every 50 updates it
  // returns slow_rank() over them, on all ranks.
  std::optional<Straggler> add(const Work& work, const distributed::Ranks& ranks);

 private:
  Work work_;  // since the last check
  int64_t updates_ = 0;
};

}  // namespace rubric::train
