#include "train/gradients.h"

#include <vector>

namespace rubric {

void sum_gradients(const Parameters& parameters, const Ranks& ranks) {
  if (ranks.size() == 1) return;
  // One after another in one tensor; at its end, for each parameter, how many ranks have one.
  std::vector<at::Tensor> parts;
  std::vector<float> counts;
  for (const Parameter& parameter : parameters) {
    const at::Tensor& gradient = parameter.tensor.grad();
    parts.push_back(gradient.defined() ? gradient.reshape(-1)
                                       : at::zeros_like(parameter.tensor.detach()).view(-1));
    counts.push_back(gradient.defined() ? 1 : 0);
  }
  parts.push_back(at::tensor(counts).to(parts.front().device()));
  const at::Tensor all = at::cat(parts);
  parts.clear();
  ranks.sum(all);
  const at::Tensor had_gradient =
      all.narrow(0, all.numel() - std::ssize(counts), std::ssize(counts)).to(at::kCPU);
  const float* const summed_counts = had_gradient.const_data_ptr<float>();
  int64_t place = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const at::Tensor& tensor = parameters[i].tensor;
    if (summed_counts[i] > 0) {
      tensor.mutable_grad() = all.narrow(0, place, tensor.numel()).view(tensor.sizes());
    }
    place += tensor.numel();
  }
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

}  // namespace rubric
