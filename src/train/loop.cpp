#include "train/loop.h"

#include <chrono>
#include <cmath>
#include <cstdio>

#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/signals.h"
#include "data/batches.h"

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

[[noreturn]] void throw_not_finite(const char* what, double value, const Task& task,
                                   const ExampleIndices& batch, int64_t step) {
  std::vector<std::string> names;
  for (const int64_t example : batch) names.push_back(task.example_name(example));
  throw Error(
      std::string("the ") + what + " is " + std::to_string(value) +
          "; the update was not made and the last checkpoint is good",
      "update " + std::to_string(step) + ", examples " + join(names),
      "look at these examples, lower optimizer.learning_rate or add optimizer.warmup_steps");
}

struct BatchLoss {
  double mean = 0;
  int64_t tokens = 0;
};

// Forward and backward, piece by piece; the gradients are those of the mean over the whole batch.
BatchLoss accumulate_gradients(Task& task, const ExampleIndices& batch, int64_t max_tokens,
                               int64_t step) {
  BatchLoss result;
  for (const auto piece : micro_batches(batch, task.lengths(), max_tokens)) {
    const Loss loss = task.loss(piece, step);
    const auto targets = static_cast<double>(batch.size());
    (loss.sum / targets).backward();
    result.mean += loss.sum.item<double>() / targets;
    for (const int64_t example : piece) {
      result.tokens += task.lengths()[static_cast<size_t>(example)];
    }
  }
  return result;
}

// Validates and, when the figure is the best so far, keeps the model and its predictions.
void validate(Task& task, RunDirectory& run, TrainState& state, int64_t epoch) {
  const Validation validation = task.validate();
  const bool better = state.best_step < 0 || validation.figure > state.best_figure;
  state.validations_without_gain = better ? 0 : state.validations_without_gain + 1;
  const double mean_loss =
      state.loss_sum / static_cast<double>(std::max<int64_t>(1, state.loss_steps));
  state.loss_sum = 0;
  state.loss_steps = 0;
  if (better) {
    state.best_step = state.step;
    state.best_figure = validation.figure;
    run.replace_directory("best", [&](const auto& folder) { task.save(folder, validation); });
  }
  Json event;
  event["event"] = "validation";
  event["step"] = state.step;
  event["epoch"] = epoch;
  event["train_loss"] = mean_loss;
  event[validation.name] = validation.figure;
  event["parts"] = validation.parts;
  event["best"] = better;
  run.log(event);
  log_info("epoch " + std::to_string(epoch) + ", update " + std::to_string(state.step) +
           ": training loss " + rounded(mean_loss) + ", dev " + validation.name + " " +
           rounded(validation.figure) + (better ? " (best so far)" : ""));
}

}  // namespace

TrainResult train(Task& task, const TrainConfig& config, RunDirectory& run) {
  // 1. What there is to do, and where an earlier start left it.
  const auto seed = static_cast<uint64_t>(config.seed);
  const int64_t examples = static_cast<int64_t>(task.lengths().size());
  const int64_t steps_per_epoch = (examples + config.batches.size - 1) / config.batches.size;
  const int64_t total_steps = steps_per_epoch * config.run.epochs;
  AdamW optimizer(task.parameters(), config.optimizer);
  const std::optional<TrainState> resumed = run.resume(optimizer);
  TrainState state = resumed.value_or(TrainState{});
  if (resumed) log_info("going on after update " + std::to_string(state.step));
  Progress progress("training", total_steps);

  for (int64_t epoch = state.step / steps_per_epoch; epoch < config.run.epochs; ++epoch) {
    const auto batches =
        epoch_batches(task.lengths(), config.batches.size, config.batches.window, seed, epoch);
    while (state.step < (epoch + 1) * steps_per_epoch) {
      const bool patient =
          config.run.patience == 0 || state.validations_without_gain < config.run.patience;
      if (!patient) break;
      const auto start = Clock::now();
      const ExampleIndices& batch = batches[static_cast<size_t>(state.step % steps_per_epoch)];

      // 2. Gradients of the mean loss over the global batch.
      optimizer.zero_gradients();
      const BatchLoss loss =
          accumulate_gradients(task, batch, config.batches.max_tokens, state.step);
      const double norm = gradient_norm(optimizer.parameters());
      if (!std::isfinite(loss.mean)) throw_not_finite("loss", loss.mean, task, batch, state.step);
      if (!std::isfinite(norm)) throw_not_finite("gradient norm", norm, task, batch, state.step);

      // 3. The update.
      const double learning_rate =
          config.optimizer.learning_rate *
          linear_schedule(state.step, config.optimizer.warmup_steps, total_steps);
      clip_gradients(optimizer.parameters(), norm, config.optimizer.max_gradient_norm);
      optimizer.step(learning_rate);
      ++state.step;
      state.loss_sum += loss.mean;
      ++state.loss_steps;

      // 4. The log.
      const double seconds = seconds_since(start);
      Json event;
      event["event"] = "update";
      event["step"] = state.step;
      event["loss"] = loss.mean;
      event["lr"] = learning_rate;
      event["gradient_norm"] = norm;
      event["seconds"] = seconds;
      event["tokens_per_second"] = static_cast<double>(loss.tokens) / seconds;
      run.log(event);
      progress.update(state.step, "loss " + rounded(loss.mean));

      // 5. Validation, checkpoint, and a stop when one was asked for.
      const bool epoch_ends = state.step % steps_per_epoch == 0;
      const bool validates =
          config.run.validate_every == 0
              ? epoch_ends
              : state.step % config.run.validate_every == 0 || state.step == total_steps;
      if (validates) {
        progress.finish();
        validate(task, run, state, epoch + 1);
      }
      const bool saves = config.run.checkpoint_every == 0
                             ? validates
                             : state.step % config.run.checkpoint_every == 0;
      const bool stops = stop_requested();
      if (saves || stops) run.save_checkpoint(state, optimizer, config.run.keep_checkpoints);
      if (stops && state.step < total_steps) {
        throw Interrupted("stopped on request after update " + std::to_string(state.step),
                          run.path().string(), "start the same command again to go on");
      }
    }
  }
  return {state.step, state.best_step, state.best_figure};
}

}  // namespace rubric
