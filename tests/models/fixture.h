// Reading the tensors that the reference implementation left in tests/fixtures.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "models/encoders/encoder.h"
#include "models/weights/weights.h"
#include "paths.h"

namespace rubric {

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / name;
}

inline std::map<std::string, at::Tensor> fixture_tensors(const std::string& name) {
  std::map<std::string, at::Tensor> tensors;
  for (auto& [key, tensor] : models::read_safetensors(fixture(name))) tensors.emplace(key, tensor);
  return tensors;
}

// The largest difference, relative to the largest expected value where that is above 1.
inline double difference(const at::Tensor& actual, const at::Tensor& expected) {
  if (actual.sizes() != expected.sizes()) return std::numeric_limits<double>::infinity();
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  return (actual - expected).abs().max().item<double>() / scale;
}

// Computes on two threads as long as it lives.
class TwoThreads {
 public:
  TwoThreads() { at::set_num_threads(2); }
  ~TwoThreads() { at::set_num_threads(before_); }

 private:
  int before_ = at::get_num_threads();
};

// A padded batch [rows, width] as packed rows.
inline models::PackedTokens pack_padded(const at::Tensor& ids, const at::Tensor& segments,
                                        const at::Tensor& lengths) {
  data::TokenBatch rows;
  for (int64_t row = 0; row < ids.size(0); ++row) {
    for (int64_t i = 0; i < lengths[row].item<int64_t>(); ++i) {
      rows.ids.push_back(ids[row][i].item<int64_t>());
      rows.segments.push_back(segments[row][i].item<int64_t>());
    }
    rows.offsets.push_back(static_cast<int64_t>(rows.ids.size()));
  }
  return models::pack(rows);
}

}  // namespace rubric
