#include "models/ops/layers.h"

#include <ATen/ATen.h>

namespace rubric::models {

at::Tensor activation(const at::Tensor& x, const at::Tensor& bias, const std::string& name) {
  if (name == "gelu") return bias_gelu(x, bias);
  if (name == "relu") return at::relu(x + bias);
  return at::gelu(x + bias, "tanh");
}

at::Tensor layer_norm(const at::Tensor& x, const LayerNorm& norm, double epsilon) {
  return at::layer_norm(x, norm.weight.sizes(), norm.weight, norm.bias, epsilon);
}

std::vector<int64_t> positions_in_rows(const std::vector<int64_t>& offsets) {
  std::vector<int64_t> positions;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    for (int64_t i = 0; i < offsets[row + 1] - offsets[row]; ++i) positions.push_back(i);
  }
  return positions;
}

}  // namespace rubric::models
