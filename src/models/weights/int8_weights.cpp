#include "models/weights/int8_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/ops/empty.h>

#include "core/error.h"
#include "core/json/json.h"
#include "models/weights/binary_reader.h"

namespace rubric::models {
namespace {

constexpr const char* kScaleEnd = "_scale";
constexpr int64_t kLeastNumbers = 4096;  // of a matrix that is worth a scale for each row
constexpr float kMost = 127;

bool is_worth_it(const at::Tensor& tensor) {
  return tensor.is_floating_point() && tensor.dim() == 2 && tensor.numel() >= kLeastNumbers;
}

}  // namespace

NamedTensors quantized(const NamedTensors& tensors) {
  NamedTensors stored;
  for (const auto& [name, tensor] : tensors) {
    if (!is_worth_it(tensor)) {
      stored.emplace_back(name, tensor);
      continue;
    }
    const at::Tensor matrix = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
    const int64_t rows = matrix.size(0), columns = matrix.size(1);
    at::Tensor rounded = at::empty({rows, columns}, at::kChar);
    at::Tensor scales = at::empty({rows, 1}, at::kFloat);
    for (int64_t row = 0; row < rows; ++row) {
      const float* const in = matrix.const_data_ptr<float>() + row * columns;
      float largest = 0;
      for (int64_t i = 0; i < columns; ++i) largest = std::max(largest, std::abs(in[i]));
      const float scale = largest > 0 ? largest / kMost : 1;
      scales.mutable_data_ptr<float>()[row] = scale;
      int8_t* const out = rounded.mutable_data_ptr<int8_t>() + row * columns;
      std::transform(in, in + columns, out, [scale](float value) {
        return static_cast<int8_t>(std::clamp(std::round(value / scale), -kMost, kMost));
      });
    }
    stored.emplace_back(name, std::move(rounded));
    stored.emplace_back(name + kScaleEnd, std::move(scales));
  }
  return stored;
}

NamedTensors dequantized(NamedTensors tensors, const std::string& where) {
  NamedTensors all;
  for (const auto& [name, tensor] : tensors) {
    const std::string_view end = kScaleEnd;
    if (name.ends_with(end)) {
      const at::Tensor* const matrix =
          find_tensor(tensors, std::string_view(name).substr(0, name.size() - end.size()));
      if (matrix != nullptr && matrix->scalar_type() == at::kChar) continue;  // read with it
    }
    const at::Tensor* const scale =
        tensor.scalar_type() == at::kChar ? find_tensor(tensors, name + kScaleEnd) : nullptr;
    if (scale == nullptr) {
      all.emplace_back(name, tensor);
      continue;
    }
    const bool fits = tensor.dim() == 2 && scale->scalar_type() == at::kFloat &&
                      scale->dim() == 2 && scale->size(0) == tensor.size(0) && scale->size(1) == 1;
    const float* const factors = fits ? scale->const_data_ptr<float>() : nullptr;
    if (!fits || !std::all_of(factors, factors + tensor.size(0),
                              [](float factor) { return std::isfinite(factor); })) {
      throw InputError(
          "the scale of " + json_quote(name) + " is not one finite F32 number for each of its rows",
          where, kFetchAgain);
    }
    const int64_t columns = tensor.size(1);
    at::Tensor matrix = at::empty(tensor.sizes(), at::kFloat);
    for (int64_t row = 0; row < tensor.size(0); ++row) {
      const int8_t* const in = tensor.const_data_ptr<int8_t>() + row * columns;
      std::transform(
          in, in + columns, matrix.mutable_data_ptr<float>() + row * columns,
          [factor = factors[row]](int8_t value) { return factor * static_cast<float>(value); });
    }
    all.emplace_back(name, std::move(matrix));
  }
  return all;
}

}  // namespace rubric::models
