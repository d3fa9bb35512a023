#include "train/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "models/safetensors.h"

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

AdamW::AdamW(Parameters parameters, OptimizerConfig config)
    : parameters_(std::move(parameters)), config_(config) {
  for (const Parameter& parameter : parameters_) {
    first_moments_.push_back(at::zeros_like(parameter.tensor));
    second_moments_.push_back(at::zeros_like(parameter.tensor));
    updates_.push_back(at::zeros({}, at::kFloat));
  }
}

void AdamW::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  for (const bool decays : {true, false}) {
    std::vector<at::Tensor> parameters, gradients, first, second, updates;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = parameters_[i];
      if (parameter.decays != decays || !parameter.tensor.grad().defined()) continue;
      updates_[i].add_(1);  // the fused kernel expects the count of the update it makes
      parameters.push_back(parameter.tensor);
      gradients.push_back(parameter.tensor.grad());
      first.push_back(first_moments_[i]);
      second.push_back(second_moments_[i]);
      updates.push_back(updates_[i]);
    }
    if (parameters.empty()) continue;
    at::_fused_adamw_(parameters, gradients, first, second, {}, updates, learning_rate,
                      config_.beta1, config_.beta2, decays ? config_.weight_decay : 0.0,
                      config_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  }
}

void AdamW::zero_gradients() {
  for (Parameter& parameter : parameters_) parameter.tensor.mutable_grad().reset();
}

void AdamW::save(const std::filesystem::path& file) const {
  NamedTensors tensors;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const std::string& name = parameters_[i].name;
    tensors.emplace_back(name + ".exp_avg", first_moments_[i]);
    tensors.emplace_back(name + ".exp_avg_sq", second_moments_[i]);
    tensors.emplace_back(name + ".step", updates_[i]);
  }
  write_safetensors(file, tensors);
}

void AdamW::load(const std::filesystem::path& file) {
  const NamedTensors tensors = read_safetensors(file);
  if (tensors.size() != 3 * parameters_.size()) {
    throw InputError("the optimiser's state is of another model", file.string());
  }
  std::vector<at::Tensor> first, second, updates;
  const auto restore = [&](const std::string& name, const at::Tensor& like,
                           std::vector<at::Tensor>& into) {
    const at::Tensor* found = find_tensor(tensors, name);
    if (found == nullptr || found->sizes() != like.sizes() ||
        found->scalar_type() != like.scalar_type()) {
      throw InputError(name + " is missing or has another shape", file.string());
    }
    into.push_back(*found);
  };
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const std::string& name = parameters_[i].name;
    restore(name + ".exp_avg", first_moments_[i], first);
    restore(name + ".exp_avg_sq", second_moments_[i], second);
    restore(name + ".step", updates_[i], updates);
  }
  first_moments_ = std::move(first);
  second_moments_ = std::move(second);
  updates_ = std::move(updates);
}

}  // namespace rubric
