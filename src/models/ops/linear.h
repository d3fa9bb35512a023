// Linear maps, and the matrix products of which they are made: by BLAS, oneDNN or a skinny GEMM, or
// with packed weights, in float32 or of 8 bits.
#pragma once

#include <cstdint>
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

// How a model that is not trained any more keeps its weights.
enum class Packing {
  float32,  // packed(): faster products of the same numbers
  int8      // pack_int8(): smaller and faster, and not the same numbers
};

// weight [out, in], in the layout in which oneDNN multiplies it, without gradients: linear() reads
// it, and nothing else does. The weight itself where oneDNN does not compute its products (not
// float32, not on the CPU, a libtorch without oneDNN) or it is packed already.
at::Tensor packed(const at::Tensor& weight);

struct Linear {
  at::Tensor weight, bias;  // [out, in], perhaps packed(); [out]
  Int8Weight int8 = {};     // replaces weight, which is then undefined
};

// x weight^T + bias; bias may be undefined, weight may be packed(), for x in float32. Otherwise it
// uses the product that is fastest for the number of rows in float32 on the CPU (skinny_gemm(),
// onednn_linear()).
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);
at::Tensor linear(const at::Tensor& x, const Linear& map);
at::Tensor without_bias(const at::Tensor& x, const Linear& map);

// Packs the map's weight. A map that a model does not have, which has no weight, stays as it is.
// Throws InputError as pack_int8() does.
void pack_weight(Linear& map, Packing packing);
bool is_packed(const Linear& map);

int64_t outputs_of(const Linear& map);  // unpacks a weight of 8 bits

// linear() in float32 even under autocast, for the scores.
at::Tensor float_linear(const at::Tensor& x, const Linear& map);

// Several linear maps of one input, as a single matrix product where that is faster; the outputs,
// each [tokens, out], may be slices of one tensor. Either all maps have a bias or none.
std::vector<at::Tensor> fused_linear(const at::Tensor& x, const std::vector<const Linear*>& maps);

// Skinny GEMM: matrix products with few rows and weights that are not packed: the first tokens of a
// few rows in LERC, and all few rows with a libtorch without oneDNN.

// x weight^T + bias for float32 x [rows, in] and weight [out, in], both contiguous; bias [out] or
// undefined; no gradients. It reads the weights once for all rows, where BLAS, tuned for square
// matrices, reads them repeatedly and takes two to three times as long at 16 rows. Rows do not
// affect each other.
at::Tensor skinny_gemm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// The number of rows up to which it is faster: four beams of 16 texts with T5-small's shape
// take 5.4 s instead of 6.6.
constexpr int64_t kSkinnyGemmRows = 64;

// oneDNN.

// x weight^T + bias, differentiable once, for float32 x [rows, in] and weight [out, in], of any
// strides, on the CPU; bias [out] or undefined. BLAS, which at::linear calls, packs x and clears
// its output: with MiniLM's shapes and 1,000 to 4,000 rows oneDNN computes these products, and
// those for the gradient of x, in 8 to 15% less time; with 65 to 1,000 rows on one thread it takes
// 0.7 to 1.1 times as long (AMD EPYC). For the gradient of the weight BLAS is faster. Without
// oneDNN in libtorch it is at::linear.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace rubric::models
