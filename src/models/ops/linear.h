// Steps that the layers of all architectures are made of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/parameter_slots.h"

namespace rubric {

// x weight^T + bias; bias may be undefined. In float32 on the CPU
// it is made as is fastest for so many rows (models/few_rows.h, models/onednn_linear.h).
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);
at::Tensor linear(const at::Tensor& x, const Linear& map);
at::Tensor without_bias(const at::Tensor& x, const Linear& map);

// Rounds the map's weight to 8 bits (models/int8.h): for a model that is trained no more.
void use_int8(Linear& map);

// linear() in float32 also under autocast: of what scores are made of.
at::Tensor float_linear(const at::Tensor& x, const Linear& map);

// Several maps of one input as a single matrix product where that is faster; the outputs, each
// [tokens, out], may lie side by side. All of them have a bias, or none.
std::vector<at::Tensor> linear_together(const at::Tensor& x,
                                        const std::vector<const Linear*>& maps);

// activation(x + bias), "gelu", "relu" or "gelu_new". x [tokens, width]; bias [width].
at::Tensor activation(const at::Tensor& x, const at::Tensor& bias, const std::string& name);

// Attention's maps of its input and of what it gives (Vaswani et al. 2017, section 3.2.2).
struct AttentionMaps {
  Linear query, key, value, output;
};

// What attends for a layer: packed rows, or a decoder's caches.
using SelfAttention =
    std::function<at::Tensor(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v)>;
using CrossAttention = std::function<at::Tensor(const at::Tensor& q)>;

at::Tensor layer_norm(const at::Tensor& x, const LayerNorm& norm, double epsilon);

// The place of each token in its row, from 0 on.
std::vector<int64_t> positions_in_rows(const std::vector<int64_t>& offsets);

// Token ids, or positions, as a tensor: int64 [tokens].
at::Tensor index_tensor(const std::vector<int64_t>& values, at::Device device = at::kCPU);

}  // namespace rubric
