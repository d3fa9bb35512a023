#include "models/ops/int8.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/cpu/Utils.h>
#include <ATen/native/quantized/PackedParams.h>

#include "core/error.h"
#include "models/ops/fused.h"
#include "models/ops/vector_math.h"

namespace rubric::models {

using FbgemmWeight = c10::intrusive_ptr<LinearPackedParamsBase>;

struct PackedInt8 {
  int64_t outputs = 0;
  Int8Inputs inputs = Int8Inputs::once;
  at::Tensor correction;             // [out]: takes off what kZeroOfInput adds, with oneDNN
  FbgemmWeight fbgemm;               // null with oneDNN
  at::Tensor weight, scales, zeros;  // oneDNN's
};

namespace {

constexpr float kMostOfWeight = 127, kMostOfInput = 63;
constexpr uint8_t kZeroOfInput = 64;  // inputs are unsigned

// Returns NaN for a row with a number that is not finite.
RUBRIC_FOR_AVX512_TOO
float largest_magnitude(const float* row, int64_t width) {
  // Without the sign, the bits of floats have the order of the floats; those of infinity and NaN
  // are the largest.
  constexpr int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
  int32_t most = 0;
  for (int64_t j = 0; j < width; ++j) {
    most = std::max(most, std::bit_cast<int32_t>(row[j]) & kMagnitude);
  }
  return most < kInfinity ? std::bit_cast<float>(most) : std::numeric_limits<float>::quiet_NaN();
}

// What makes a row's numbers at most 1; 0 where all are nearly 0, or one is not finite.
float factor_of(float most) {
  return most >= std::numeric_limits<float>::min() ? 1 / most : 0;
}

at::Tensor fbgemm_product(const at::Tensor& x, const FbgemmWeight& weight) {
  return weight->apply_with_input_q_dq_qweight_dq_output_fp32(x, 1.0 / kMostOfInput, kZeroOfInput);
}

FbgemmWeight pack_for_fbgemm(const at::Tensor& rounded) {
  static const auto prepack = c10::Dispatcher::singleton()
                                  .findSchemaOrThrow("quantized::linear_prepack", "")
                                  .typed<FbgemmWeight(at::Tensor, std::optional<at::Tensor>)>();
  FbgemmWeight packed = prepack.call(rounded, std::nullopt);
  fbgemm_product(at::zeros({1, rounded.size(1)}), packed);  // FBGEMM checks the CPU here
  return packed;
}

// x [tokens, in], uint8; returns float32 [tokens, out]. Only the weight's scales are applied:
// oneDNN has several kernels, for AMX and without, which apply more than one number in different
// orders.
at::Tensor onednn_int8_product(const at::Tensor& x, const PackedInt8& weight) {
  using Numbers = c10::List<std::optional<c10::Scalar>>;
  using Product = at::Tensor(
      at::Tensor, double, int64_t, at::Tensor, at::Tensor, at::Tensor, std::optional<at::Tensor>,
      double, int64_t, std::optional<c10::ScalarType>, std::string_view, Numbers, std::string_view);
  static const auto product = c10::Dispatcher::singleton()
                                  .findSchemaOrThrow("onednn::qlinear_pointwise", "")
                                  .typed<Product>();
  return product.call(x, 1.0, 0, weight.weight, weight.scales, weight.zeros, std::nullopt, 1.0, 0,
                      at::kFloat, "none", Numbers(), "");
}

void pack_for_onednn(const at::Tensor& rounded, PackedInt8& packed) {
  static const auto prepack =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("onednn::qlinear_prepack", "")
          .typed<at::Tensor(at::Tensor, std::optional<torch::List<int64_t>>)>();
  packed.weight = prepack.call(rounded.int_repr(), std::nullopt);
  packed.scales = (rounded.q_per_channel_scales() / kMostOfInput).to(at::kFloat);
  packed.zeros = at::zeros({packed.outputs}, at::kLong);
  // The product of zeros is what kZeroOfInput adds. A CPU that oneDNN does not support fails here.
  const at::Tensor zero = at::full({1, rounded.size(1)}, kZeroOfInput, at::kByte);
  packed.correction = onednn_int8_product(zero, packed)[0].neg();
}

// With FBGEMM, which rounds by itself and has one scale for the whole matrix: with each token
// between -1 and 1 it is one for each token.
void scale_row(const float* from, float factor, int64_t width, float* to) {
  for (int64_t j = 0; j < width; ++j) to[j] = from[j] * factor;
}

RUBRIC_FOR_AVX512_TOO
void round_row(const float* from, float factor, int64_t width, uint8_t* __restrict to) {
  // Adding this rounds to a whole number, which is then in the last bits.
  constexpr float kRound = 12582912.0f + kZeroOfInput;  // 1.5 * 2^23
  // 0 times a number that is not finite has other last bits, which the row's NaN makes harmless.
  for (int64_t j = 0; j < width; ++j) {
    to[j] = static_cast<uint8_t>(std::bit_cast<uint32_t>(from[j] * factor * kMostOfInput + kRound));
  }
}

// The tokens' numbers as an engine reads them, and the largest magnitude of each token.
struct Rows {
  at::Tensor numbers;
  std::vector<float> largest;
};

template <class Number>
Rows rows_of(const at::Tensor& x, at::ScalarType type,
             void (*write_row)(const float*, float, int64_t, Number*)) {
  Rows rows{at::empty(x.sizes(), type), std::vector<float>(static_cast<size_t>(x.size(0)))};
  const float* const from = x.const_data_ptr<float>();
  auto* const to = rows.numbers.mutable_data_ptr<Number>();
  const int64_t width = x.size(1);
  parallel_for_rows(x.size(0), width, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float most = largest_magnitude(from + row * width, width);
      write_row(from + row * width, factor_of(most), width, to + row * width);
      rows.largest[static_cast<size_t>(row)] = most;
    }
  });
  return rows;
}

// (x + correction) * scale + bias, where there is one.
RUBRIC_FOR_AVX512_TOO
void finish_row(float* row, const float* correction, float scale, const float* bias,
                int64_t width) {
  if (bias == nullptr) {
    for (int64_t j = 0; j < width; ++j) row[j] = (row[j] + correction[j]) * scale;
  } else {
    for (int64_t j = 0; j < width; ++j) row[j] = (row[j] + correction[j]) * scale + bias[j];
  }
}

// What a token's numbers are rounded to, and what that leaves: [2 tokens, in], so that each of the
// rows can be rounded.
at::Tensor with_rests(const at::Tensor& x) {
  const int64_t tokens = x.size(0), width = x.size(1);
  at::Tensor both = at::empty({2 * tokens, width}, x.options());
  const float* const from = x.const_data_ptr<float>();
  float* const rounded = both.mutable_data_ptr<float>();
  float* const rests = rounded + tokens * width;
  parallel_for_rows(tokens, width, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float most = largest_magnitude(from + row * width, width);
      const float steps = factor_of(most) * kMostOfInput, step = most / kMostOfInput;
      for (int64_t i = row * width; i < (row + 1) * width; ++i) {
        rounded[i] = std::nearbyint(from[i] * steps) * step;
        rests[i] = from[i] - rounded[i];
      }
    }
  });
  return both;
}

void finish_rows(at::Tensor& x, const at::Tensor& correction, const std::vector<float>& scales,
                 const at::Tensor& bias) {
  const int64_t width = x.size(1);
  auto* const values = x.mutable_data_ptr<float>();
  const float* const offset = correction.const_data_ptr<float>();
  const float* const shift = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  parallel_for_rows(x.size(0), width, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      finish_row(values + row * width, offset, scales[static_cast<size_t>(row)], shift, width);
    }
  });
}

// The products of x rounded once. Tensors are as for int8_products().
std::vector<at::Tensor> products_of_rounded(const at::Tensor& x, const std::vector<Int8Map>& maps) {
  const bool with_fbgemm = maps.front().weight->fbgemm != nullptr;
  const Rows rows = with_fbgemm ? rows_of<float>(x, at::kFloat, scale_row)
                                : rows_of<uint8_t>(x, at::kByte, round_row);
  std::vector<at::Tensor> products;
  for (const auto& [weight, bias] : maps) {
    at::Tensor product = with_fbgemm ? fbgemm_product(rows.numbers, weight->fbgemm)
                                     : onednn_int8_product(rows.numbers, *weight);
    finish_rows(product, weight->correction, rows.largest, bias);
    products.push_back(std::move(product));
  }
  return products;
}

}  // namespace

Int8Engine fastest_int8_engine() {
  return at::hasMKLDNN() && at::cpu::is_avx512_vnni_supported() ? Int8Engine::onednn
                                                                : Int8Engine::fbgemm;
}

int64_t outputs_of(const PackedInt8& weight) {
  return weight.outputs;
}

Int8Weight pack_int8(const at::Tensor& weight, Int8Engine engine, Int8Inputs inputs) {
  const auto [least, most] = at::aminmax(weight, 1);  // no copy, as abs() makes
  const at::Tensor largest = at::maximum(least.neg(), most).to(at::kDouble);
  if (!largest.isfinite().all().item<bool>()) {
    throw InputError("the model has a weight that is not finite", "", "use other weights");
  }
  // A row of zeros is exact with any scale.
  const at::Tensor scales = at::where(largest > 0, largest / kMostOfWeight, 1.0);
  const at::Tensor zeros = at::zeros({weight.size(0)}, at::kLong);
  const at::Tensor rounded = at::quantize_per_channel(weight, scales, zeros, 0, at::kQInt8);
  PackedInt8 packed;
  packed.outputs = weight.size(0);
  packed.inputs = inputs;
  packed.correction = at::zeros({packed.outputs});
  try {
    if (engine == Int8Engine::onednn) {
      pack_for_onednn(rounded, packed);
    } else {
      packed.fbgemm = pack_for_fbgemm(rounded);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // libtorch's or oneDNN's, which tell in words alone why
    const std::string_view what = error.what();
    throw InputError(
        "weights of 8 bits cannot be made: " + std::string(what.substr(0, what.find('\n'))), "",
        "they need an x86-64 CPU with AVX2, and memory; leave --int8 out");
  }
  return std::make_shared<const PackedInt8>(std::move(packed));
}

std::vector<at::Tensor> int8_products(const at::Tensor& x, const std::vector<Int8Map>& maps) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.is_cpu(),
              "x must be a contiguous matrix of float32 on the CPU");
  const PackedInt8& first = *maps.front().weight;
  std::vector<Int8Map> without_bias;
  for (const Int8Map& map : maps) {
    TORCH_CHECK((map.weight->fbgemm != nullptr) == (first.fbgemm != nullptr) &&
                    map.weight->inputs == first.inputs,
                "the weights must be of one kind");
    without_bias.push_back({map.weight});
  }
  if (first.inputs == Int8Inputs::once) return products_of_rounded(x, maps);
  std::vector<at::Tensor> products = products_of_rounded(with_rests(x), without_bias);
  for (size_t i = 0; i < maps.size(); ++i) {
    const auto halves = products[i].chunk(2);
    products[i] = halves[0].add_(halves[1]);
    if (maps[i].bias.defined()) products[i].add_(maps[i].bias);
  }
  return products;
}

}  // namespace rubric::models
