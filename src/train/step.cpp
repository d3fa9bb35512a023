#include "train/step.h"

#include <cmath>

#include "core/error.h"
#include "core/signals.h"
#include "data/batches.h"
#include "train/gradients.h"

namespace rubric {
namespace {

void require_finite(const char* what, double value, const Task& task,
                    std::span<const int64_t> batch, int64_t step) {
  if (std::isfinite(value)) return;
  std::vector<std::string> names;
  for (const int64_t example : batch) names.push_back(task.example_name(example));
  throw Error(
      std::string("the ") + what + " is " + (std::isnan(value) ? "nan" : "infinite") +
          "; the update was not made, and what was saved before is good",
      "update " + std::to_string(step + 1) + ", examples " + join_some(names),
      "look at these examples, lower optimizer.learning_rate or add optimizer.warmup_steps");
}

}  // namespace

StepResult train_step(Task& task, Optimizer& optimizer, std::span<const int64_t> batch,
                      int64_t step, int64_t max_tokens, double learning_rate,
                      double max_gradient_norm) {
  // 1. Forward and backward, piece by piece.
  StepResult result;
  const double targets = task.targets(batch);
  optimizer.zero_gradients();
  for (const auto piece : micro_batches(batch, task.lengths(), max_tokens)) {
    end_if_stop_requested();
    const at::Tensor loss = task.loss_sum(piece, step) / targets;
    loss.backward();
    result.loss += loss.item<double>();
    for (const int64_t example : piece) {
      result.tokens += task.lengths()[static_cast<size_t>(example)];
    }
  }

  // 2. Nothing that is not finite reaches the parameters.
  result.gradient_norm = gradient_norm(optimizer.parameters());
  require_finite("loss", result.loss, task, batch, step);
  require_finite("gradient norm", result.gradient_norm, task, batch, step);

  // 3. The update.
  clip_gradients(optimizer.parameters(), result.gradient_norm, max_gradient_norm);
  optimizer.step(learning_rate);
  return result;
}

}  // namespace rubric
