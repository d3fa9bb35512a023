#include "models/weights/int8_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
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
  std::map<std::string_view, const at::Tensor*> matrices, scales;  // by the matrix's name
  constexpr std::string_view kEnd = kScaleEnd;
  for (const auto& [name, tensor] : tensors) {
    const std::string_view all = name;
    if (tensor.scalar_type() == at::kChar) matrices.emplace(all, &tensor);
    if (all.ends_with(kEnd)) scales.emplace(all.substr(0, all.size() - kEnd.size()), &tensor);
  }
  NamedTensors all;
  for (const auto& [name, tensor] : tensors) {
    const std::string_view own = name;
    if (own.ends_with(kEnd) && matrices.contains(own.substr(0, own.size() - kEnd.size()))) {
      continue;  // read with its matrix
    }
    const auto found = scales.find(own);
    if (tensor.scalar_type() != at::kChar || found == scales.end()) {
      all.emplace_back(name, tensor);
      continue;
    }
    const at::Tensor* const scale = found->second;
    const bool fits = tensor.dim() == 2 && scale->scalar_type() == at::kFloat &&
                      scale->dim() == 2 && scale->size(0) == tensor.size(0) && scale->size(1) == 1;
    // A file of PyTorch may hold views of any strides.
    const at::Tensor rounded = tensor.contiguous(), each = scale->contiguous();
    const float* const factors = fits ? each.const_data_ptr<float>() : nullptr;
    if (!fits || !std::all_of(factors, factors + tensor.size(0),
                              [](float factor) { return std::isfinite(factor); })) {
      throw InputError(
          "the scale of " + json_quote(name) + " is not one finite F32 number for each of its rows",
          where, kFetchAgain);
    }
    const int64_t columns = tensor.size(1);
    at::Tensor matrix = at::empty(tensor.sizes(), at::kFloat);
    for (int64_t row = 0; row < tensor.size(0); ++row) {
      const int8_t* const in = rounded.const_data_ptr<int8_t>() + row * columns;
      std::transform(
          in, in + columns, matrix.mutable_data_ptr<float>() + row * columns,
          [factor = factors[row]](int8_t value) { return factor * static_cast<float>(value); });
    }
    all.emplace_back(name, std::move(matrix));
  }
  return all;
}

}  // namespace rubric::models
