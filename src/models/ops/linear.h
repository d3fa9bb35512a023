// Steps that the layers of all architectures are made of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/architecture.h"

namespace rubric::models {

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
std::vector<at::Tensor> fused_linear(const at::Tensor& x, const std::vector<const Linear*>& maps);

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

// Matrix products with few rows, as decoding token by token makes them.

// x weight^T + bias for float32 x [rows, in] and weight [out, in], both contiguous; bias [out] or
// undefined; no gradients. The weights are read once for all rows. BLAS reads them as often as
// products of square matrices want: at 16 rows it is two to three times as slow. What a row gives
// does not depend on the others.
at::Tensor skinny_gemm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// Up to how many rows that is the faster way: four beams of 16 texts, by T5-small's shape, take 5.4
// s instead of 6.6.
constexpr int64_t kSkinnyGemmRows = 64;

// Matrix products by oneDNN.

// Settings that oneDNN takes from the environment when it makes its first product: call it before,
// while there is one thread. float32 is float32, whatever ONEDNN_DEFAULT_FPMATH_MODE says; and
// unless ONEDNN_PRIMITIVE_CACHE_CAPACITY is set few products are kept compiled, of 0.3 MB and more
// each: every batch has a number of rows of its own, and would else leave some.
void set_up_onednn();

// x weight^T + bias, differentiable once, for float32 x [rows, in] and weight [out, in] on the CPU;
// bias [out] or undefined. BLAS, which at::linear calls, packs x and clears what it adds to: with
// MiniLM's shapes and 1,000 to 4,000 rows oneDNN makes these products, and those for the gradient
// of x, in 8 to 15% less time; with 65 to 1,000 rows on one thread it takes 0.7 to 1.1 times as
// long (AMD EPYC). For the gradient of the weight BLAS is the faster one. Where libtorch has no
// oneDNN it is at::linear.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace rubric::models
