#include "models/ops/int8.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "core/error.h"
#include "models/ops/fused.h"

namespace rubric::models {
namespace {

constexpr float kMostOfWeight = 127, kMostOfInput = 63;
constexpr int64_t kZeroOfInput = 64;  // FBGEMM's inputs are unsigned

// Returns NaN for a row with a number that is not finite.
float largest_magnitude(const float* row, int64_t width) {
  float most = 0, nothing = 0;
#pragma omp simd reduction(max : most) reduction(+ : nothing)
  for (int64_t j = 0; j < width; ++j) {
    most = std::max(most, std::abs(row[j]));
    nothing += 0 * row[j];
  }
  return most + nothing;
}

at::Tensor int8_product(const at::Tensor& x, const Int8Weight& weight) {
  return weight->apply_with_input_q_dq_qweight_dq_output_fp32(x, 1.0 / kMostOfInput, kZeroOfInput);
}

}  // namespace

Int8Weight pack_int8(const at::Tensor& weight) {
  static const auto prepack = c10::Dispatcher::singleton()
                                  .findSchemaOrThrow("quantized::linear_prepack", "")
                                  .typed<Int8Weight(at::Tensor, std::optional<at::Tensor>)>();
  const at::Tensor largest = weight.abs().amax(1).to(at::kDouble);
  if (!largest.isfinite().all().item<bool>()) {
    throw InputError("the model has a weight that is not finite", "", "use other weights");
  }
  // A row of zeros is exact with any scale.
  const at::Tensor scales = at::where(largest > 0, largest / kMostOfWeight, 1.0);
  const at::Tensor zeros = at::zeros({weight.size(0)}, at::kLong);
  try {
    Int8Weight packed =
        prepack.call(at::quantize_per_channel(weight, scales, zeros, 0, at::kQInt8), std::nullopt);
    int8_product(at::zeros({1, weight.size(1)}), packed);  // FBGEMM checks the CPU here
    return packed;
  } catch (const c10::Error&) {
    throw InputError("weights of 8 bits need an x86-64 CPU with AVX2", "", "leave --int8 out");
  }
}

std::vector<at::Tensor> int8_products(const at::Tensor& x, const std::vector<Int8Weight>& weights) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.is_cpu(),
              "x must be a contiguous matrix of float32 on the CPU");
  // FBGEMM has one scale for the whole matrix: with each token between -1 and 1 it is one for each
  // token, and a token's products do not depend on its neighbours.
  at::Tensor scaled = at::empty_like(x);
  std::vector<float> scales(static_cast<size_t>(x.size(0)));
  const float* const from = x.const_data_ptr<float>();
  float* const to = scaled.mutable_data_ptr<float>();
  const int64_t width = x.size(1);
  parallel_for_rows(x.size(0), width, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float most = largest_magnitude(from + row * width, width);
      const float factor = most < std::numeric_limits<float>::min() ? 0 : 1 / most;
      for (int64_t j = row * width; j < (row + 1) * width; ++j) to[j] = from[j] * factor;
      scales[static_cast<size_t>(row)] = most;
    }
  });
  std::vector<at::Tensor> products;
  for (const Int8Weight& weight : weights) {
    at::Tensor out = int8_product(scaled, weight);
    const int64_t outputs = out.size(1);
    float* const values = out.mutable_data_ptr<float>();
    parallel_for_rows(x.size(0), outputs, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const float scale = scales[static_cast<size_t>(row)];
        for (int64_t j = row * outputs; j < (row + 1) * outputs; ++j) values[j] *= scale;
      }
    });
    products.push_back(std::move(out));
  }
  return products;
}

}  // namespace rubric::models
