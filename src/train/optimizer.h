// AdamW (Loshchilov and Hutter 2019) with its schedules and clipping by the global norm.
#pragma once

#include <filesystem>

#include "config/train_config.h"
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

class AdamW {
 public:
  AdamW(Parameters parameters, OptimizerConfig config);

  void step(double learning_rate);
  void zero_gradients();

  // The moments and the update count as safetensors; load() throws InputError when they do not fit,
  // and then changes nothing.
  void save(const std::filesystem::path& file) const;
  void load(const std::filesystem::path& file);

  const Parameters& parameters() const { return parameters_; }

 private:
  Parameters parameters_;
  OptimizerConfig config_;
  std::vector<at::Tensor> first_moments_, second_moments_, updates_;
};

}  // namespace rubric
