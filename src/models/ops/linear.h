// Linear maps, and the matrix products of which they are made: by BLAS or oneDNN, or with packed
// weights, in float32 or of 8 bits.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/int8.h"
#include "models/ops/stored_blocks.h"

namespace rubric::models {

// How a model that is not trained any more keeps its weights.
enum class Packing {
  float32,          // packed(): faster products of the same numbers
  int8,             // pack_int8(): smaller and faster, and not the same numbers
  int8_with_rests,  // the same with Int8Inputs::twice
  stored  // of a GGUF file: its blocks, the same numbers in less memory; the others as float32
};

// weight [out, in], in the layout in which oneDNN multiplies it, without gradients: linear() reads
// its numbers, and nothing else does; shape and device are as before. The weight itself where
// oneDNN does not compute its products (not float32, not on the CPU, a libtorch without oneDNN) or
// it is packed already.
at::Tensor packed(const at::Tensor& weight);

struct Linear {
  at::Tensor weight, bias;  // [out, in], perhaps packed(); [out]
  Int8Weight int8 = {};     // replaces weight, which is then undefined
  BlockWeight blocks = {};  // so does this
};

// With 16 rows BLAS takes 0.3 to 0.7 times as long as oneDNN, which packs the weight first, and
// with this many 0.9 to 1.15 times (MiniLM's shapes, two threads, AMD EPYC).
constexpr int64_t kFewRows = 64;

// x weight^T + bias; bias may be undefined, weight may be packed(), for x in float32. Otherwise
// oneDNN computes more than kFewRows rows in float32 on the CPU (onednn_linear()), and BLAS the
// rest.
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);
at::Tensor linear(const at::Tensor& x, const Linear& map);
at::Tensor without_bias(const at::Tensor& x, const Linear& map);

// Packs the map's weight. A map that a model does not have, which has no weight, stays as it is.
// Throws InputError as pack_int8() does.
void pack_weight(Linear& map, Packing packing);
bool is_packed(const Linear& map);

int64_t outputs_of(const Linear& map);
at::Device device_of(const Linear& map);

// linear() in float32 even under autocast, for the scores.
at::Tensor float_linear(const at::Tensor& x, const Linear& map);

// Several linear maps of one input, as a single matrix product where that is faster; the outputs,
// each [tokens, out], may be slices of one tensor. Either all maps have a bias or none, and either
// all have weights of 8 bits or none.
std::vector<at::Tensor> fused_linear(const at::Tensor& x, const std::vector<const Linear*>& maps);

// x weight^T + bias, differentiable once, for float32 x [rows, in] and weight [out, in], of any
// strides, on the CPU; bias [out] or undefined. BLAS, which at::linear calls, packs x and clears
// its output: with MiniLM's shapes and 1,000 to 4,000 rows oneDNN computes these products, and
// those for the gradient of x, in 8 to 15% less time; with 65 to 1,000 rows on one thread it takes
// 0.7 to 1.1 times as long (AMD EPYC). For the gradient of the weight BLAS is faster. Without
// oneDNN in libtorch it is at::linear.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace rubric::models
