#include "models/ops/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>

#include "models/ops/aten_path.h"
#include "models/ops/device.h"
#include "models/ops/fused.h"
#include "models/ops/layers.h"
#include "models/ops/vector_math.h"

namespace rubric::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// base^(2j/size), in float32 as upstream.
at::Tensor periods(double base, int64_t size) {
  return at::pow(base, at::arange(0, size, 2, at::kLong).to(at::kFloat) / size);
}

// 0 up to `low`, 1 from `high` on.
at::Tensor ramp(double low, double high, int64_t size) {
  if (low == high) high += 0.001;
  return at::clamp((at::arange(size, at::kFloat) - low) / (high - low), 0, 1);
}

at::Tensor yarn_frequencies(const RotarySettings& s) {
  const auto size = static_cast<double>(s.size);
  // The pair that turns so many times within `positions`.
  const auto pair_of = [&](double turns) {
    return size * std::log(static_cast<double>(s.positions) / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(s.base));
  };
  double low = pair_of(s.beta_fast), high = pair_of(s.beta_slow);
  if (s.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  const at::Tensor kept = 1 - ramp(std::max(low, 0.0), std::min(high, size - 1), s.size / 2);
  const at::Tensor period = periods(s.base, s.size);
  return at::reciprocal(s.factor * period) * (1 - kept) + at::reciprocal(period) * kept;
}

at::Tensor llama3_frequencies(const RotarySettings& s) {
  const at::Tensor plain = at::reciprocal(periods(s.base, s.size));
  const auto positions = static_cast<double>(s.positions);
  const at::Tensor wavelengths = 2 * std::numbers::pi / plain;
  const at::Tensor is_long = wavelengths > positions / s.low_frequency_factor;
  const at::Tensor is_short = wavelengths < positions / s.high_frequency_factor;
  const at::Tensor kept = (positions / wavelengths - s.low_frequency_factor) /
                          (s.high_frequency_factor - s.low_frequency_factor);
  const at::Tensor between = (1 - kept) * plain / s.factor + kept * plain;
  return at::where(is_long, plain / s.factor, at::where(is_short, plain, between));
}

at::Tensor longrope_frequencies(const RotarySettings& s, int64_t length) {
  const std::vector<double>& factors = length > s.positions ? s.long_factors : s.short_factors;
  return at::reciprocal(at::tensor(factors, at::kDouble).to(at::kFloat) * periods(s.base, s.size));
}

at::Tensor dynamic_frequencies(const RotarySettings& s, int64_t length) {
  const auto positions = static_cast<double>(s.positions), size = static_cast<double>(s.size);
  const double longer = s.factor * static_cast<double>(std::max(length, s.positions)) / positions;
  const double base = s.base * std::pow(longer - (s.factor - 1), size / (size - 2));
  return at::reciprocal(periods(base, s.size));
}

// Turns each head of a token by the angles, or back.
RUBRIC_FOR_AVX512_TOO
void rotate_row(const float* x, const float* cosines, const float* sines, float direction,
                int64_t heads, int64_t head_size, int64_t half, float* out) {
  for (int64_t head = 0; head < heads; ++head, x += head_size, out += head_size) {
    for (int64_t j = 0; j < half; ++j) {
      const float sine = direction * sines[j];
      out[j] = x[j] * cosines[j] - x[j + half] * sine;
      out[j + half] = x[j + half] * cosines[j] + x[j] * sine;
    }
    std::copy(x + 2 * half, x + head_size, out + 2 * half);
  }
}

at::Tensor rotated(const at::Tensor& x, int64_t heads, const RotaryAngles& angles,
                   float direction) {
  const int64_t width = x.size(1), half = angles.cosines.size(1), stride = x.stride(0);
  at::Tensor out = at::empty({x.size(0), width}, x.options());
  const float* const from = x.const_data_ptr<float>();
  const float* const cosines = angles.cosines.const_data_ptr<float>();
  const float* const sines = angles.sines.const_data_ptr<float>();
  float* const to = out.mutable_data_ptr<float>();
  parallel_for_rows(x.size(0), width, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      rotate_row(from + row * stride, cosines + row * half, sines + row * half, direction, heads,
                 width / heads, half, to + row * width);
    }
  });
  return out;
}

class Rotate : public torch::autograd::Function<Rotate> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, int64_t heads,
                            const at::Tensor& cosines, const at::Tensor& sines) {
    context->save_for_backward({cosines, sines});
    context->saved_data["heads"] = heads;
    return rotated(x, heads, {cosines, sines}, 1);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    return {rotated(gradients[0].contiguous(), context->saved_data["heads"].toInt(),
                    {saved[0], saved[1]}, -1),
            {},
            {},
            {}};
  }
};

}  // namespace

double default_attention_factor(const RotarySettings& s) {
  if (s.factor <= 1) return 1;
  if (s.scaling == RotaryScaling::yarn) return 0.1 * std::log(s.factor) + 1;
  if (s.scaling != RotaryScaling::longrope) return 1;
  return std::sqrt(1 + std::log(s.factor) / std::log(static_cast<double>(s.positions)));
}

Rotary::Rotary(RotarySettings settings)
    : settings_(std::move(settings)), frequencies_(frequencies(0)) {}

at::Tensor Rotary::frequencies(int64_t length) const {
  switch (settings_.scaling) {
    case RotaryScaling::dynamic:
      return dynamic_frequencies(settings_, length);
    case RotaryScaling::yarn:
      return yarn_frequencies(settings_);
    case RotaryScaling::llama3:
      return llama3_frequencies(settings_);
    case RotaryScaling::longrope:
      return longrope_frequencies(settings_, length);
    case RotaryScaling::linear:
      return at::reciprocal(periods(settings_.base, settings_.size)) / settings_.factor;
    case RotaryScaling::none:
      break;
  }
  return at::reciprocal(periods(settings_.base, settings_.size));
}

std::optional<int64_t> Rotary::new_angles_at() const {
  if (settings_.scaling != RotaryScaling::longrope) return std::nullopt;
  return settings_.positions + 1;
}

RotaryAngles Rotary::of(const at::Tensor& angles, at::Device device) const {
  const double factor = settings_.attention_factor;
  return {on_device(angles.cos() * factor, device), on_device(angles.sin() * factor, device)};
}

RotaryAngles Rotary::angles(const Offsets& offsets, at::Device device) const {
  const at::NoGradGuard no_grad;
  const std::vector<int64_t> positions = positions_in_rows(offsets);
  at::Tensor angles = at::outer(at::tensor(positions, at::kFloat), frequencies_);
  for (size_t row = 0; depends_on_length() && row + 1 < offsets.size(); ++row) {
    const int64_t length = offsets[row + 1] - offsets[row];
    if (length <= settings_.positions) continue;
    angles.narrow(0, offsets[row], length)
        .copy_(at::outer(at::arange(length, at::kFloat), frequencies(length)));
  }
  return of(angles, device);
}

RotaryAngles Rotary::last_angles(std::span<const int64_t> lengths, at::Device device) const {
  const at::NoGradGuard no_grad;
  std::vector<int64_t> positions;
  for (const int64_t length : lengths) positions.push_back(length - 1);
  at::Tensor angles = at::outer(at::tensor(positions, at::kFloat), frequencies_);
  for (size_t row = 0; depends_on_length() && row < lengths.size(); ++row) {
    if (lengths[row] <= settings_.positions) continue;
    angles[static_cast<int64_t>(row)] = positions[row] * frequencies(lengths[row]);
  }
  return of(angles, device);
}

at::Tensor rotate(const at::Tensor& x, int64_t heads, const RotaryAngles& angles) {
  if (!x.is_cpu()) return aten_path::rotate(x, heads, angles);
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.stride(1) == 1,
              "x must be a matrix of float32 with rows of adjacent numbers");
  TORCH_CHECK(heads > 0 && x.size(1) % heads == 0 && angles.cosines.size(0) == x.size(0) &&
                  2 * angles.cosines.size(1) <= x.size(1) / heads,
              "the angles must fit the tokens and heads");
  return Rotate::apply(x, heads, angles.cosines, angles.sines);
}

}  // namespace rubric::models
