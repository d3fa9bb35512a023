// Matrix products with weights of 8 bits, for scoring on x86-64: a fourth of a weight's memory, and
// faster, but not exact.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/native/quantized/PackedParams.h>

namespace rubric::models {

// A weight as libtorch's FBGEMM reads it; null where there is none.
using Int8Weight = c10::intrusive_ptr<LinearPackedParamsBase>;

// weight [out, in], float32 on the CPU. Each output's numbers become multiples of a 127th of the
// largest. Throws InputError for a number that is not finite, and on a CPU that FBGEMM does not
// know.
Int8Weight pack_int8(const at::Tensor& weight);

// x weight^T, float32 [tokens, out], for each of the weights. x [tokens, in], float32, contiguous:
// each token's numbers become multiples of a 63rd of its largest, as two products of 8 bits and 8
// must fit into 16 (a limit of AVX2's vpmaddubsw). What a token gives does not depend on the
// others; one with a number that is not finite gives NaN. No gradients.
std::vector<at::Tensor> int8_products(const at::Tensor& x, const std::vector<Int8Weight>& weights);

}  // namespace rubric::models
