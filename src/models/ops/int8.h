// Matrix products with 8-bit weights, for scoring on x86-64: a quarter of the memory and faster,
// but not exact.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/native/quantized/PackedParams.h>

namespace rubric::models {

// A weight packed for libtorch's FBGEMM; null for none.
using Int8Weight = c10::intrusive_ptr<LinearPackedParamsBase>;

// Quantises weight [out, in], float32 on the CPU: each output's numbers become multiples of 1/127
// of its largest magnitude. Throws InputError for a number that is not finite, and on a CPU that
// FBGEMM does not support.
Int8Weight pack_int8(const at::Tensor& weight);

// x weight^T, float32 [tokens, out], for each of the weights. x [tokens, in], float32, contiguous:
// each token's numbers become multiples of 1/63 of its largest magnitude, because the sum of two
// 8-bit products must fit into 16 bits (a limit of AVX2's vpmaddubsw). Tokens do not affect each
// other; one with a number that is not finite gives NaN. No gradients.
std::vector<at::Tensor> int8_products(const at::Tensor& x, const std::vector<Int8Weight>& weights);

}  // namespace rubric::models
