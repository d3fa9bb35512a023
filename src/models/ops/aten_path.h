// The operations of fused.h, attention.h, rotary.h, dropout.h and output_layer.h composed of
// libtorch's operations: used for tensors that are not on the CPU, and by tests, which compare them
// with the CPU kernels. Under autocast the inputs may be bfloat16; outputs of layers, norms and
// losses stay float32.
#pragma once

#include <span>
#include <vector>

#include "models/ops/attention.h"
#include "models/ops/fused.h"
#include "models/ops/output_layer.h"
#include "models/ops/rotary.h"

namespace rubric::models::aten_path {

at::Tensor bias_gelu(const at::Tensor& x, const at::Tensor& bias);
at::Tensor gated_gelu(const at::Tensor& x);

// Dropout at `rate` (0: none) draws its mask from the device's generator (models/ops/device.h).
at::Tensor add_norm(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& residual,
                    const LayerNorm& norm, double epsilon, double rate);

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

at::Tensor rotate(const at::Tensor& x, int64_t heads, const RotaryAngles& angles);

// Uses FlashAttention in bfloat16 on GPUs, else pads rows to the longest for libtorch's attention;
// `drops` says whether there is dropout.
at::Tensor packed_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const Offsets& query_offsets, const Offsets& key_offsets,
                            const AttentionSettings& settings, bool drops,
                            const at::Tensor& relative_position_bias,
                            const DistanceVectors& distances = {});

// These two hold the logits of all tokens at once.
at::Tensor target_cross_entropy(const at::Tensor& states, const Linear& output,
                                std::span<const int64_t> targets);
std::vector<float> target_log_probabilities(const at::Tensor& states, const Linear& output,
                                            std::span<const int64_t> targets);

}  // namespace rubric::models::aten_path
