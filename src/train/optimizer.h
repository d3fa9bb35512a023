// What optimisers share: the schedules, clipping by the global norm, saving and loading.
#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "config/train_config.h"
#include "models/safetensors.h"
#include "train/task.h"

namespace rubric {

// The factor on the peak learning rate for the update after `done` updates of `total`: up linearly
// over the warm-up, then down linearly to 0 (transformers' get_linear_schedule_with_warmup).
double linear_schedule(int64_t done, int64_t warmup, int64_t total);

// As config.schedule says; "constant" goes up the same way and stays
// (get_constant_schedule_with_warmup).
double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total);

// The 2-norm over all gradients together. A parameter without gradient counts as 0.
double gradient_norm(const Parameters& parameters);

// Scales all gradients by max_norm / (norm + 1e-6) where that is below 1, as torch's
// clip_grad_norm_ does.
void clip_gradients(const Parameters& parameters, double norm, double max_norm);

// What makes an update of the gradients, and what it remembers of those before.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  virtual void step(double learning_rate) = 0;  // passes over parameters without gradient
  void zero_gradients();

  // What is remembered, as safetensors; load() throws InputError when it does not fit, and then
  // changes nothing.
  void save(const std::filesystem::path& file) const;
  void load(const std::filesystem::path& file);

  const Parameters& parameters() const { return parameters_; }

 protected:
  explicit Optimizer(Parameters parameters) : parameters_(std::move(parameters)) {}

  Parameters parameters_;

 private:
  virtual NamedTensors state() const = 0;  // the tensors themselves, no copies
};

// The optimiser that config.name names.
std::unique_ptr<Optimizer> make_optimizer(Parameters parameters, const OptimizerConfig& config);

}  // namespace rubric
