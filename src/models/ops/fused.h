// Element-wise steps of a transformer layer, each fused into one pass over memory. Differentiable.
// Tensors must be float32 and contiguous, else c10::Error; tensors on other devices use
// models/ops/aten_path.h and may be any.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>

#include "models/ops/dropout.h"

namespace rubric::models {

// gelu(x + bias) with the error function (Hendrycks and Gimpel 2016). x [tokens, width]; bias
// [width].
at::Tensor bias_gelu(const at::Tensor& x, const at::Tensor& bias);

// gelu(a) ⊙ b with the error function, where [a, b] = x (Shazeer 2020, GEGLU). x [tokens, 2 width];
// returns [tokens, width].
at::Tensor gated_gelu(const at::Tensor& x);

struct LayerNorm {
  at::Tensor weight, bias;  // [width]
};

// layer_norm(residual + dropout(x + bias)): the end of a post-norm sub-layer (Vaswani et al. 2017,
// section 5.4). x, residual [tokens, width]; bias [width]; no dropout when the keys are undefined
// or the rate is 0.
at::Tensor add_norm(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& residual,
                    const LayerNorm& norm, double epsilon, const DropoutKeys& keys, double rate,
                    uint64_t site);

// x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich 2019). x [tokens, width]; weight
// [width].
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// Parallel loops.

// Calls work(begin, end) on several threads for ranges that partition the rows from 0 to `rows`;
// each range has enough rows of `width` numbers to be worth a thread.
void parallel_for_rows(int64_t rows, int64_t width,
                       c10::function_ref<void(int64_t begin, int64_t end)> work);

}  // namespace rubric::models
