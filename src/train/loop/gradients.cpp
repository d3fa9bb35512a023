#include "train/loop/gradients.h"

#include <vector>

namespace rubric {

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

}  // namespace rubric
