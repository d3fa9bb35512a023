// Matrix products by oneDNN.
#pragma once

#include <ATen/core/Tensor.h>

namespace rubric {

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

}  // namespace rubric
