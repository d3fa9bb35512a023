#include "train/loop/step.h"

#include <array>
#include <cmath>

#include "core/error.h"
#include "core/system/signals.h"
#include "data/tokens/batches_part.h"
#include "distributed/collective.h"
#include "train/loop/gradients.h"

namespace rubric {
namespace {

// `value` is the same on all ranks.
void require_finite(const char* what, double value, const Task& task, const Ranks& ranks,
                    std::span<const int64_t> batch, int64_t step) {
  if (std::isfinite(value)) return;
  std::vector<std::string> names;
  for (const int64_t example : batch) names.push_back(task.example_name(example));
  together(ranks, [&] {
    throw Error(
        std::string("the ") + what + " is " + (std::isnan(value) ? "nan" : "infinite") +
            "; the update was not made, and what was saved before is good",
        "update " + std::to_string(step + 1) + ", examples " + join_some(names),
        "look at these examples, lower optimizer.learning_rate or add optimizer.warmup_steps");
  });
}

}  // namespace

StepResult train_step(Task& task, Optimizer& optimizer, GradientReducer& reducer,
                      const Ranks& ranks, std::span<const int64_t> batch, int64_t step,
                      int64_t max_tokens, double learning_rate, double max_gradient_norm) {
  // 1. Forward and backward over this rank's share of the batch, piece by piece. With the last
  // piece gradients are added up over ranks: a rank without one, as its share is empty or a stop is
  // requested, takes part with no loss, for the others wait for it.
  double loss_sum = 0, tokens = 0;
  const double targets = task.targets(batch);
  const ExampleIndices share = share_of(batch, {ranks.rank(), ranks.size()});
  const auto pieces = micro_batches(share, task.lengths(), max_tokens);
  optimizer.zero_gradients();
  std::vector<at::Tensor> losses;  // read when backward is done, for which a GPU need not wait
  at::Tensor last_loss;
  for (size_t i = 0; i < pieces.size() && !is_stop_requested(); ++i) {
    const at::Tensor loss = task.loss_sum(pieces[i], step) / targets;
    losses.push_back(loss.detach());
    for (const int64_t example : pieces[i]) {
      tokens += static_cast<double>(task.lengths()[static_cast<size_t>(example)]);
    }
    if (i + 1 < pieces.size()) {
      loss.backward();
    } else {
      last_loss = loss;
    }
  }
  reducer.backward(last_loss);
  last_loss.reset();
  for (const at::Tensor& loss : losses) loss_sum += loss.item<double>();

  // 2. The whole batch: loss, and whether any rank is to stop.
  std::array<double, 3> sums = {loss_sum, tokens, is_stop_requested() ? 1.0 : 0.0};
  ranks.sum(sums);
  if (sums[2] > 0) throw Interrupted("a stop was requested");
  const StepResult result{sums[0], gradient_norm(optimizer.parameters()), std::llround(sums[1]),
                          std::llround(tokens)};

  // 3. Nothing that is not finite reaches the parameters.
  require_finite("loss", result.loss, task, ranks, batch, step);
  require_finite("gradient norm", result.gradient_norm, task, ranks, batch, step);

  // 4. The update.
  clip_gradients(optimizer.parameters(), result.gradient_norm, max_gradient_norm);
  optimizer.step(learning_rate);
  optimizer.exchange_updates(ranks);
  return result;
}

}  // namespace rubric
