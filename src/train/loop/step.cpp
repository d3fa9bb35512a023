#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "data/tokens/batches.h"
#include "distributed/collective.h"
#include "train/loop/loop.h"

namespace rubric::train {

namespace {

// `value` is the same on all ranks.
void require_finite(const char* what, double value, const Task& task,
                    const distributed::Ranks& ranks, std::span<const int64_t> batch, int64_t step) {
  if (std::isfinite(value)) return;
  std::vector<std::string> names;
  for (const int64_t example : batch) names.push_back(task.example_name(example));
  distributed::run_on_all_ranks(ranks, [&] {
    throw Error(
        std::string("the ") + what + " is " + (std::isnan(value) ? "nan" : "infinite") +
            "; the update was not made, and everything saved before is intact",
        "update " + std::to_string(step + 1) + ", examples " + join_some(names),
        "look at these examples, lower optimizer.learning_rate or add optimizer.warmup_steps");
  });
}

}  // namespace

StepResult train_step(Task& task, Optimizer& optimizer, distributed::GradientReducer& reducer,
                      const distributed::Ranks& ranks, std::span<const int64_t> batch, int64_t step,
                      int64_t max_tokens, double learning_rate, double max_gradient_norm) {
  // 1. Forward and backward over this rank's share of the batch, by micro-batches. During the last
  // one gradients are summed over ranks; a rank without one (an empty share or a requested stop)
  // still takes part, with an undefined loss, since the others wait for it.
  double loss_sum = 0, tokens = 0;
  const double targets = task.targets(batch);
  const data::ExampleIndices share = data::share_of(batch, {ranks.rank(), ranks.size()});
  const auto micro_batches = data::micro_batches(share, task.lengths(), max_tokens);
  optimizer.zero_gradients();
  std::vector<at::Tensor> losses;  // read after backward, so that a GPU is not synchronised earlier
  at::Tensor last_loss;
  for (size_t i = 0; i < micro_batches.size() && !is_stop_requested(); ++i) {
    const at::Tensor loss = task.loss_sum(micro_batches[i], step) / targets;
    losses.push_back(loss.detach());
    for (const int64_t example : micro_batches[i]) {
      tokens += static_cast<double>(task.lengths()[static_cast<size_t>(example)]);
    }
    if (i + 1 < micro_batches.size()) {
      loss.backward();
    } else {
      last_loss = loss;
    }
  }
  reducer.backward(last_loss);
  last_loss.reset();
  for (const at::Tensor& loss : losses) loss_sum += loss.item<double>();

  // 2. Over the whole batch: the loss, and whether any rank is to stop.
  std::array<double, 3> sums = {loss_sum, tokens, is_stop_requested() ? 1.0 : 0.0};
  ranks.all_reduce_sum(sums);
  if (sums[2] > 0) throw Interrupted("a stop was requested");
  const StepResult result{sums[0], gradient_norm(optimizer.parameters()), std::llround(sums[1]),
                          std::llround(tokens)};

  // 3. Only finite gradients reach the parameters.
  require_finite("loss", result.loss, task, ranks, batch, step);
  require_finite("gradient norm", result.gradient_norm, task, ranks, batch, step);

  // 4. The update.
  clip_gradients(optimizer.parameters(), result.gradient_norm, max_gradient_norm);
  optimizer.step(learning_rate);
  optimizer.all_gather_updates(ranks);
  return result;
}

double gradient_norm(const Parameters& parameters) {
  std::vector<at::Tensor> norms;
  for (const Parameter& parameter : parameters) {
    if (parameter.tensor.grad().defined()) norms.push_back(parameter.tensor.grad().norm());
  }
  return norms.empty() ? 0.0 : at::stack(norms).norm().item<double>();
}

void clip_gradients(const Parameters& parameters, double norm, double max_norm) {
  const double factor = max_norm / (norm + 1e-6);
  if (factor >= 1) return;
  for (const Parameter& parameter : parameters) {
    if (parameter.tensor.grad().defined()) parameter.tensor.mutable_grad().mul_(factor);
  }
}

double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total) {
  const int64_t warmup = config.warmup_steps;
  const auto ratio = [](int64_t part, int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<int64_t>(1, whole));
  };
  if (done < warmup) return ratio(done, warmup);
  if (config.schedule == "constant") return 1;
  if (config.schedule == "cosine") {
    return std::max(0.0,
                    0.5 * (1 + std::cos(std::numbers::pi * ratio(done - warmup, total - warmup))));
  }
  return std::max(0.0, ratio(total - done, total - warmup));
}

}  // namespace rubric::train
