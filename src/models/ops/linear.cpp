#include "models/ops/linear.h"

#include "models/ops/autocast.h"
#include "models/ops/device.h"
#include "models/ops/few_rows.h"
#include "models/ops/onednn_linear.h"

namespace rubric {

namespace {

bool is_plain_matrix(const at::Tensor& x) {
  return x.dim() == 2 && x.is_contiguous() && x.scalar_type() == at::kFloat && x.is_cpu() &&
         !is_autocast(at::kCPU);
}

// Whether backward may come.
bool records_gradients(const at::Tensor& x, const at::Tensor& weight) {
  return at::GradMode::is_enabled() && (x.requires_grad() || weight.requires_grad());
}

// Rows whose product outweighs putting the weights together.
constexpr int64_t kWorthJoining = 512;

std::vector<at::Tensor> int8_together(const at::Tensor& x, const std::vector<const Linear*>& maps) {
  std::vector<Int8Weight> weights;
  for (const Linear* map : maps) weights.push_back(map->int8);
  std::vector<at::Tensor> outputs = int8_products(x, weights);
  for (size_t i = 0; i < maps.size(); ++i) {
    if (maps[i]->bias.defined()) outputs[i].add_(maps[i]->bias);
  }
  return outputs;
}

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (!is_plain_matrix(x)) return at::linear(x, weight, bias);
  if (x.size(0) > kFewRows) return onednn_linear(x, weight, bias);
  const bool is_few_rows = !records_gradients(x, weight) && weight.is_contiguous();
  return is_few_rows ? few_rows_linear(x, weight, bias) : at::linear(x, weight, bias);
}

at::Tensor linear(const at::Tensor& x, const Linear& map) {
  if (!map.int8) return linear(x, map.weight, map.bias);
  at::Tensor product = without_bias(x, map);
  return map.bias.defined() ? product.add_(map.bias) : product;
}

at::Tensor without_bias(const at::Tensor& x, const Linear& map) {
  if (map.int8) return int8_products(x, {map.int8}).front();
  return linear(x, map.weight, at::Tensor());
}

void use_int8(Linear& map) {
  map.int8 = pack_int8(map.weight);
  map.weight.reset();
}

at::Tensor float_linear(const at::Tensor& x, const Linear& map) {
  const Autocast off(x.device().type(), false);
  return at::linear(x.to(at::kFloat), map.weight, map.bias);
}

std::vector<at::Tensor> linear_together(const at::Tensor& x,
                                        const std::vector<const Linear*>& maps) {
  if (maps.front()->int8) return int8_together(x, maps);
  std::vector<at::Tensor> outputs, weights, biases;
  for (const Linear* map : maps) {
    if (!records_gradients(x, map->weight) && x.size(0) < kWorthJoining) {
      outputs.push_back(linear(x, *map));
      continue;
    }
    weights.push_back(map->weight);
    if (map->bias.defined()) biases.push_back(map->bias);
  }
  if (!outputs.empty()) return outputs;
  const at::Tensor bias = biases.empty() ? at::Tensor() : at::cat(biases);
  return linear(x, at::cat(weights), bias).chunk(static_cast<int64_t>(maps.size()), 1);
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

at::Tensor index_tensor(const std::vector<int64_t>& values, at::Device device) {
  return on_device(at::tensor(at::IntArrayRef(values), at::kLong), device);
}

}  // namespace rubric
