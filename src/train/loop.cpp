#include "train/loop.h"

#include <chrono>
#include <cstdio>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/signals.h"
#include "data/batches.h"
#include "train/step.h"

namespace rubric {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4f", value);
  return text;
}

Json update_event(const TrainState& state, const StepResult& result, double learning_rate,
                  double seconds) {
  Json event;
  event["event"] = "update";
  event["step"] = state.step;
  event["loss"] = result.loss;
  event["lr"] = learning_rate;
  event["gradient_norm"] = result.gradient_norm;
  event["seconds"] = seconds;
  event["tokens_per_second"] = static_cast<double>(result.tokens) / seconds;
  return event;
}

// Validates and keeps the model and its predictions when the figure is the best so far. The first
// model is kept even without a figure, so that there is one.
void validate(Task& task, RunDirectory& run, TrainState& state, int64_t epoch) {
  const Validation validation = task.validate();
  const bool better =
      state.best_step < 0 ||
      (validation.figure && (!state.best_figure || *validation.figure > *state.best_figure));
  state.validations_without_gain = better ? 0 : state.validations_without_gain + 1;
  const double mean_loss =
      state.loss_sum / static_cast<double>(std::max<int64_t>(1, state.loss_steps));
  state.loss_sum = 0;
  state.loss_steps = 0;
  if (better) {
    state.best_step = state.step;
    state.best_figure = validation.figure;
    run.replace_directory("best", [&](const auto& folder) { task.save(folder, validation); });
    run.save_predictions("dev", validation.predictions);
  }
  Json event;
  event["event"] = "validation";
  event["step"] = state.step;
  event["epoch"] = epoch;
  event["train_loss"] = mean_loss;
  event["figure"] = validation.name;
  event["value"] = validation.figure ? Json(*validation.figure) : Json();
  event["parts"] = validation.parts;
  event["best"] = better;
  run.log(event);
  log_info("epoch " + std::to_string(epoch) + ", update " + std::to_string(state.step) +
           ": training loss " + rounded(mean_loss) + ", dev " + validation.name + " " +
           (validation.figure ? rounded(*validation.figure) : "undefined") +
           (better ? " (best so far)" : ""));
}

bool is_due(int64_t step, int64_t every) {
  return every > 0 && step % every == 0;
}

}  // namespace

TrainResult train(Task& task, const TrainConfig& config, RunDirectory& run) {
  // 1. What there is to do, and where an earlier start left it.
  const auto examples = static_cast<int64_t>(task.lengths().size());
  const int64_t steps_per_epoch = (examples + config.batches.size - 1) / config.batches.size;
  const int64_t total_steps = steps_per_epoch * config.run.epochs;
  AdamW optimizer(task.parameters(), config.optimizer);
  const std::optional<TrainState> resumed = run.resume(optimizer);
  TrainState state = resumed.value_or(TrainState{});
  if (resumed) log_info("going on after update " + std::to_string(state.step));
  Progress progress("training", total_steps, state.step);

  std::vector<ExampleIndices> batches;
  int64_t batches_epoch = -1;
  while (state.step < total_steps &&
         (config.run.patience == 0 || state.validations_without_gain < config.run.patience)) {
    // 2. The batch: a function of the seed, the epoch and the place in it.
    const auto start = Clock::now();
    const int64_t epoch = state.step / steps_per_epoch;
    if (epoch != batches_epoch) {
      batches = epoch_batches(task.lengths(), config.batches.size, config.batches.window,
                              static_cast<uint64_t>(config.seed), epoch);
      batches_epoch = epoch;
    }
    const ExampleIndices& batch = batches[static_cast<size_t>(state.step % steps_per_epoch)];

    // 3. The update.
    const double learning_rate =
        config.optimizer.learning_rate *
        linear_schedule(state.step, config.optimizer.warmup_steps, total_steps);
    const StepResult result =
        train_step(task, optimizer, batch, state.step, config.batches.max_tokens, learning_rate,
                   config.optimizer.max_gradient_norm);
    ++state.step;
    state.loss_sum += result.loss;
    ++state.loss_steps;
    run.log(update_event(state, result, learning_rate, seconds_since(start)));
    progress.update(state.step, "loss " + rounded(result.loss));

    // 4. Validation.
    const bool epoch_ends = state.step % steps_per_epoch == 0;
    const bool validates =
        config.run.validate_every == 0
            ? epoch_ends
            : is_due(state.step, config.run.validate_every) || state.step == total_steps;
    if (validates) {
      progress.finish();
      validate(task, run, state, epoch + 1);
    }

    // 5. The checkpoint, and a stop when one was asked for.
    const bool stops = stop_requested();
    if (validates || stops || is_due(state.step, config.run.checkpoint_every)) {
      run.save_checkpoint(state, optimizer, config.run.keep_checkpoints);
    }
    if (stops && state.step < total_steps) {
      throw Interrupted("stopped on request after update " + std::to_string(state.step),
                        run.path().string(), "start the same command again to go on");
    }
  }
  return {state.step, state.best_step, state.best_figure};
}

}  // namespace rubric
