#include "train/optimizer.h"

#include "core/error.h"
#include "train/adafactor.h"
#include "train/adamw.h"

namespace rubric {

void Optimizer::zero_gradients() {
  for (Parameter& parameter : parameters_) parameter.tensor.mutable_grad().reset();
}

std::vector<at::Tensor> Optimizer::tensors() const {
  std::vector<at::Tensor> tensors;
  for (const Parameter& parameter : parameters_) tensors.push_back(parameter.tensor);
  return tensors;
}

void Optimizer::save(const std::filesystem::path& file) const {
  write_safetensors(file, state());
}

void Optimizer::load(const NamedTensors& saved, const std::string& file) {
  const NamedTensors own = state();
  if (saved.size() != own.size()) {
    throw InputError("the optimiser's state is of another model or optimiser", file);
  }
  std::vector<at::Tensor> values;
  for (const auto& [name, tensor] : own) {
    const at::Tensor* found = find_tensor(saved, name);
    if (found == nullptr || found->sizes() != tensor.sizes() ||
        found->scalar_type() != tensor.scalar_type()) {
      throw InputError(name + " is missing or has another shape", file);
    }
    values.push_back(*found);
  }
  for (size_t i = 0; i < own.size(); ++i) own[i].second.copy_(values[i]);
}

void Optimizer::broadcast(const Ranks& ranks) {
  for (const Parameter& parameter : parameters_) ranks.broadcast(parameter.tensor.detach());
  for (const auto& [name, tensor] : state()) ranks.broadcast(tensor);
}

std::unique_ptr<Optimizer> make_optimizer(Parameters parameters, const OptimizerConfig& config) {
  if (config.name == "adafactor") {
    return std::make_unique<Adafactor>(std::move(parameters), config);
  }
  return std::make_unique<AdamW>(std::move(parameters), config);
}

}  // namespace rubric
