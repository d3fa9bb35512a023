// Steps that the layers of all architectures share, besides the linear maps: activations, the parts
// of attention, layer norm, positions.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/fused.h"
#include "models/ops/linear.h"

namespace rubric::models {

// activation(x + bias), where `name` is "gelu", "relu" or "gelu_new". x [tokens, width]; bias
// [width].
at::Tensor activation(const at::Tensor& x, const at::Tensor& bias, const std::string& name);

// activation(a) ⊙ b, where [a, b] = x [tokens, 2 width] and `name` is of kGatedActivations.
inline constexpr std::initializer_list<const char*> kGatedActivations = {
    "gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu"};
at::Tensor gated_activation(const at::Tensor& x, const std::string& name);
// As above, also "silu" and "gelu_pytorch_tanh", which is "gelu_new".
at::Tensor activation(const at::Tensor& x, const std::string& name);

// The projections of attention (Vaswani et al. 2017, section 3.2.2).
struct AttentionMaps {
  Linear query, key, value, output;
};
void pack_weight(AttentionMaps& maps, Packing packing);

// The attention of a layer: over packed rows, or over a decoder's caches.
using SelfAttention =
    std::function<at::Tensor(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v)>;
using CrossAttention = std::function<at::Tensor(const at::Tensor& q)>;

at::Tensor layer_norm(const at::Tensor& x, const LayerNorm& norm, double epsilon);

// The position of each token in its row, from 0.
std::vector<int64_t> positions_in_rows(const std::vector<int64_t>& offsets);

// The bucket of each distance from key to query (Raffel et al. 2020, section 2.1;
// T5Attention._relative_position_bucket): exact for small distances, logarithmic beyond, in float32
// as upstream.
at::Tensor distance_buckets(at::Tensor distances, int64_t buckets, int64_t farthest,
                            bool bidirectional);

// The biases of packed_attention(), [heads, 2 reach + 1], from the table [buckets, heads] that is
// learned.
at::Tensor relative_position_bias(const at::Tensor& table, int64_t reach, int64_t farthest,
                                  bool bidirectional);

}  // namespace rubric::models
