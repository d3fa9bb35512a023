#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "train/adafactor.h"
#include "train/adamw.h"

namespace rubric {

double linear_schedule(int64_t done, int64_t warmup, int64_t total) {
  if (done < warmup)
    return static_cast<double>(done) / static_cast<double>(std::max<int64_t>(1, warmup));
  return std::max(0.0, static_cast<double>(total - done) /
                           static_cast<double>(std::max<int64_t>(1, total - warmup)));
}

double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total) {
  const bool is_constant = config.schedule == "constant" && done >= config.warmup_steps;
  return is_constant ? 1 : linear_schedule(done, config.warmup_steps, total);
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

void Optimizer::zero_gradients() {
  for (Parameter& parameter : parameters_) parameter.tensor.mutable_grad().reset();
}

void Optimizer::save(const std::filesystem::path& file) const {
  write_safetensors(file, state());
}

void Optimizer::load(const std::filesystem::path& file) {
  const NamedTensors saved = read_safetensors(file);
  const NamedTensors own = state();
  if (saved.size() != own.size()) {
    throw InputError("the optimiser's state is of another model or optimiser", file.string());
  }
  std::vector<at::Tensor> values;
  for (const auto& [name, tensor] : own) {
    const at::Tensor* found = find_tensor(saved, name);
    if (found == nullptr || found->sizes() != tensor.sizes() ||
        found->scalar_type() != tensor.scalar_type()) {
      throw InputError(name + " is missing or has another shape", file.string());
    }
    values.push_back(*found);
  }
  for (size_t i = 0; i < own.size(); ++i) own[i].second.copy_(values[i]);
}

std::unique_ptr<Optimizer> make_optimizer(Parameters parameters, const OptimizerConfig& config) {
  if (config.name == "adafactor") {
    return std::make_unique<Adafactor>(std::move(parameters), config);
  }
  return std::make_unique<AdamW>(std::move(parameters), config);
}

}  // namespace rubric
