#include "models/ops/layers.h"

#include <cmath>

#include <ATen/ATen.h>

#include "models/ops/device.h"

namespace rubric::models {

at::Tensor activation(const at::Tensor& x, const at::Tensor& bias, const std::string& name) {
  if (name == "gelu") return bias_gelu(x, bias);
  if (name == "relu") return at::relu(x + bias);
  return at::gelu(x + bias, "tanh");
}

at::Tensor activation(const at::Tensor& x, const std::string& name) {
  if (name == "silu") return at::silu(x);
  if (name == "relu") return at::relu(x);
  return at::gelu(x, name == "gelu" ? "none" : "tanh");
}

at::Tensor gated_activation(const at::Tensor& x, const std::string& name) {
  if (name == "gelu") return gated_gelu(x);
  const auto parts = x.chunk(2, 1);
  return activation(parts[0], name) * parts[1];
}

void pack_weight(AttentionMaps& maps, Packing packing) {
  for (Linear* map : {&maps.query, &maps.key, &maps.value, &maps.output}) {
    pack_weight(*map, packing);
  }
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

at::Tensor distance_buckets(at::Tensor distances, int64_t buckets, int64_t farthest,
                            bool bidirectional) {
  at::Tensor offset = at::zeros_like(distances);
  if (bidirectional) {
    buckets /= 2;
    offset = (distances > 0).to(at::kLong) * buckets;
    distances = distances.abs();
  } else {
    distances = at::clamp_min(-distances, 0);
  }
  const int64_t exact = buckets / 2;
  const double range = std::log(static_cast<double>(farthest) / static_cast<double>(exact));
  const at::Tensor rounded =
      exact + (at::log(distances.to(at::kFloat) / exact) / range * (buckets - exact)).to(at::kLong);
  return offset + at::where(distances < exact, distances, at::clamp_max(rounded, buckets - 1));
}

at::Tensor relative_position_bias(const at::Tensor& table, int64_t reach, int64_t farthest,
                                  bool bidirectional) {
  const at::Tensor buckets = distance_buckets(at::arange(-reach, reach + 1, at::kLong),
                                              table.size(0), farthest, bidirectional);
  return table.index_select(0, on_device(buckets, table.device())).t().contiguous();
}

}  // namespace rubric::models
