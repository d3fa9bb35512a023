#include "models/weights/int8_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
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

NamedTensors quantized(const NamedTensors& tensors, const std::string& where) {
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
      for (int64_t i = 0; i < columns; ++i) {
        if (!std::isfinite(in[i])) {
          throw InputError("the weights " + json_quote(name) + " are not all finite", where,
                           "train the model again with a lower learning rate");
        }
        largest = std::max(largest, std::abs(in[i]));
      }
      const float smallest = std::numeric_limits<float>::min() * kMost;  // else a scale of 0
      const float scale = largest >= smallest ? largest / kMost : 1;
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
  for (auto& [name, tensor] : tensors) {
    constexpr std::string_view kEnd = kScaleEnd;
    const at::Tensor* const matrix =
        name.ends_with(kEnd) ? find_tensor(tensors, name.substr(0, name.size() - kEnd.size()))
                             : nullptr;
    if (matrix != nullptr && matrix->scalar_type() == at::kChar) continue;  // read with its matrix
    const at::Tensor* const scale =
        tensor.scalar_type() == at::kChar ? find_tensor(tensors, name + kScaleEnd) : nullptr;
    if (scale == nullptr) {
      all.emplace_back(name, tensor);
      continue;
    }
    const bool fits = tensor.dim() == 2 && scale->scalar_type() == at::kFloat &&
                      scale->dim() == 2 && scale->size(0) == tensor.size(0) && scale->size(1) == 1;
    if (!fits || !scale->isfinite().all().item<bool>()) {
      throw InputError(
          "the scale of " + json_quote(name) + " is not one finite F32 number for each of its rows",
          where, kFetchAgain);
    }
    // A file of PyTorch may hold views of any strides.
    all.emplace_back(name, tensor.contiguous().to(at::kFloat).mul_(*scale));
  }
  return all;
}

}  // namespace rubric::models
