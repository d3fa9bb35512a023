#include <set>
#include <string>
#include <utility>

#include "train/optimizers/optimizer.h"

namespace rubric::train {

AdamW::AdamW(Parameters parameters, OptimizerConfig config, WorkShare share)
    : Optimizer(std::move(parameters), share), config_(std::move(config)) {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    first_moments_.push_back(at::zeros_like(parameters_[i].tensor, options(i)));
    second_moments_.push_back(at::zeros_like(parameters_[i].tensor, options(i)));
    updates_.push_back(at::zeros({}, options(i).dtype(at::kFloat)));
  }
}

void AdamW::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  std::set<std::pair<bool, double>> groups;
  for (const Parameter& parameter : parameters_) groups.emplace(parameter.decays, parameter.rate);
  for (const auto& [decays, rate] : groups) {
    std::vector<at::Tensor> parameters, gradients, first, second, updates;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = parameters_[i];
      const bool has_update = is_own(i) && parameter.tensor.grad().defined();
      if (parameter.decays != decays || parameter.rate != rate || !has_update) continue;
      parameters.push_back(parameter.tensor);
      gradients.push_back(parameter.tensor.grad());
      first.push_back(first_moments_[i]);
      second.push_back(second_moments_[i]);
      updates.push_back(updates_[i]);
    }
    if (parameters.empty()) continue;
    // The fused kernel expects the count to include the update it makes.
    at::_foreach_add_(updates, 1);
    at::_fused_adamw_(parameters, gradients, first, second, {}, updates, learning_rate * rate,
                      config_.beta1, config_.beta2, decays ? config_.weight_decay : 0.0,
                      config_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  }
}

models::NamedTensors AdamW::state() const {
  models::NamedTensors tensors;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const std::string& name = parameters_[i].name;
    tensors.emplace_back(name + ".exp_avg", first_moments_[i]);
    tensors.emplace_back(name + ".exp_avg_sq", second_moments_[i]);
    tensors.emplace_back(name + ".step", updates_[i]);
  }
  return tensors;
}

}  // namespace rubric::train
