// Matrix products of 8-bit numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

namespace rubric::models {

// Which library computes the products. Both give the same, but for the rounding of float32.
enum class Int8Engine {
  onednn,  // with the processor's VNNI; without it, slower than float32
  fbgemm   // with AVX2
};

Int8Engine fastest_int8_engine();

// A weight [out, in], rounded and packed; null for none.
struct PackedInt8;
using Int8Weight = std::shared_ptr<const PackedInt8>;

int64_t outputs_of(const PackedInt8& weight);

// How inputs are rounded.
enum class Int8Inputs {
  once,  // to multiples of 1/63 of a token's largest magnitude
  twice  // what that leaves, too, in twice the time: for models with a few numbers far above others
};

// Quantises weight [out, in], float32 on the CPU: each output's numbers become multiples of 1/127
// of its largest magnitude. Throws InputError for a number that is not finite, and on a CPU that
// the engine does not support.
Int8Weight pack_int8(const at::Tensor& weight, Int8Engine engine = fastest_int8_engine(),
                     Int8Inputs inputs = Int8Inputs::once);

struct Int8Map {
  Int8Weight weight;
  at::Tensor bias = {};  // [out], float32, or undefined
};

// x weight^T + bias, float32 [tokens, out], for each of the maps, of one kind. x [tokens, in],
// float32, contiguous: each token's numbers become multiples of 1/63 of its largest magnitude,
// because the sum of two 8-bit products must fit into 16 bits (a limit of AVX2's vpmaddubsw).
// Tokens do not affect each other; one with a number that is not finite gives NaN. No gradients.
std::vector<at::Tensor> int8_products(const at::Tensor& x, const std::vector<Int8Map>& maps);

}  // namespace rubric::models
