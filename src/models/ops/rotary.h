// Rotary position embeddings (Su et al. 2021): the numbers of each query and key are turned, two by
// two, by angles that grow with the position, so that their products depend on distances.
//
// Number j < n/2 of a head, of which n are turned, forms a pair with number j + n/2
// (transformers' rotate_half), and at position p is turned by p f_j, where f_j = base^(-2j/n) or
// what a scaling makes of it (transformers' modeling_rope_utils.py).
//
//   const Rotary rotary({.size = 64, .base = 10000});
//   const RotaryAngles angles = rotary.angles(offsets, device);
//   q = rotate(q, heads, angles);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/ops/attention.h"

namespace rubric::models {

enum class RotaryScaling {
  none,
  linear,    // f_j / factor (kaiokendev 2023)
  dynamic,   // a base that grows with rows longer than `positions` (NTK-aware, emozilla 2023)
  yarn,      // from f_j / factor for small f_j to f_j for large ones (Peng et al. 2023)
  llama3,    // as yarn, by wavelengths (Llama 3.1)
  longrope,  // f_j / short_factors[j], in rows longer than `positions` long_factors (Ding et al.
             // 2024)
};

struct RotarySettings {
  int64_t size;  // numbers of a head that are turned, the first ones; even
  double base = 10000;
  RotaryScaling scaling = RotaryScaling::none;
  double factor = 1;
  int64_t positions = 0;  // that the model was trained with before the scaling
  double low_frequency_factor = 1, high_frequency_factor = 4;  // llama3
  double beta_fast = 32, beta_slow = 1;                        // yarn
  bool truncate = true;                                        // yarn: of the range's ends
  std::vector<double> short_factors = {}, long_factors = {};   // longrope; size/2 each
  double attention_factor = 1;                                 // of turned numbers
};

// yarn's and longrope's attention_factor where a configuration has none; 1 of other scalings.
double default_attention_factor(const RotarySettings& settings);

// Of each token: float32 [tokens, size/2], times attention_factor.
struct RotaryAngles {
  at::Tensor cosines, sines;
};

class Rotary {
 public:
  explicit Rotary(RotarySettings settings);

  // Of the tokens of packed rows.
  RotaryAngles angles(const Offsets& offsets, at::Device device = at::kCPU) const;
  // Of the last token of rows of these lengths.
  RotaryAngles last_angles(std::span<const int64_t> lengths, at::Device device = at::kCPU) const;

  // The length at which a row turns its earlier tokens by other angles, too: longrope's.
  std::optional<int64_t> new_angles_at() const;

 private:
  bool depends_on_length() const {
    return settings_.scaling == RotaryScaling::dynamic ||
           settings_.scaling == RotaryScaling::longrope;
  }
  at::Tensor frequencies(int64_t length) const;  // in a row of this length, float32 [size/2]
  RotaryAngles of(const at::Tensor& angles, at::Device device) const;

  RotarySettings settings_;
  at::Tensor frequencies_;  // in short rows
};

// x float32 [tokens, heads × head size], a token's numbers contiguous, with each head turned; what
// a head has beyond angles' size stays. Differentiable in x. On other devices
// models/ops/aten_path.h.
at::Tensor rotate(const at::Tensor& x, int64_t heads, const RotaryAngles& angles);

}  // namespace rubric::models
