// Steps of a transformer layer that touch every number once, each in one pass over memory instead
// of one for each operation in it. Differentiable. All tensors must be float32 and
// contiguous; c10::Error otherwise. Tensors of another device than the CPU take the way of
// models/composed.h, and may be any.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>

#include "models/ops/dropout.h"

namespace rubric::models {

// gelu(x + bias), with the error function (Hendrycks and Gimpel 2016). x [tokens, width],
// contiguous; bias [width].
at::Tensor bias_gelu(const at::Tensor& x, const at::Tensor& bias);

struct LayerNorm {
  at::Tensor weight, bias;  // [width]
};

// layer_norm(residual + dropout(x + bias)): the end of a post-norm sub-layer (Vaswani et al. 2017,
// section 5.4). x, residual [tokens, width], contiguous; bias [width]; no dropout when the keys are
// not enabled or the rate is 0.
at::Tensor add_norm(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& residual,
                    const LayerNorm& norm, double epsilon, const DropoutKeys& keys, double rate,
                    uint64_t site);

// x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich 2019). x [tokens, width], contiguous;
// weight [width].
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// Loops over the rows of a matrix, on all threads.

// Calls work(begin, end) for ranges that together are the rows from 0 to `rows`; a range is for one
// thread, and has so many rows of `width` numbers that it is worth one.
void parallel_for_rows(int64_t rows, int64_t width,
                       c10::function_ref<void(int64_t begin, int64_t end)> work);

}  // namespace rubric::models
