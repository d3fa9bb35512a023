#include "models/layers.h"

namespace rubric {

at::Tensor linear(const at::Tensor& x, const Linear& map) {
  return at::linear(x, map.weight, map.bias);
}

at::Tensor without_bias(const at::Tensor& x, const Linear& map) {
  return at::linear(x, map.weight);
}

std::vector<at::Tensor> linear_together(const at::Tensor& x,
                                        const std::vector<const Linear*>& maps) {
  std::vector<at::Tensor> weights, biases;
  for (const Linear* map : maps) {
    weights.push_back(map->weight);
    if (map->bias.defined()) biases.push_back(map->bias);
  }
  const at::Tensor bias = biases.empty() ? at::Tensor() : at::cat(biases);
  return at::linear(x, at::cat(weights), bias).chunk(static_cast<int64_t>(maps.size()), 1);
}

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

at::Tensor index_tensor(const std::vector<int64_t>& values) {
  return at::tensor(at::IntArrayRef(values), at::kLong);
}

}  // namespace rubric
