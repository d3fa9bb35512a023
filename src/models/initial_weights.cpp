#include "models/initial_weights.h"

#include <cmath>
#include <numbers>

#include <ATen/Parallel.h>

#include "core/random.h"

namespace rubric {
namespace {

constexpr int64_t kGrain = 1 << 14;  // numbers that are worth a thread

// Standard normal numbers by their places in a stream (Box and Muller 1958).
at::Tensor normal(at::IntArrayRef shape, uint64_t seed, uint64_t stream) {
  at::Tensor drawn = at::empty(shape, at::kFloat);
  float* const values = drawn.mutable_data_ptr<float>();
  at::parallel_for(0, drawn.numel(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto place = 2 * static_cast<uint64_t>(i);
      const double u = uniform(random_bits(seed, Purpose::initialise, stream, place));
      const double v = uniform(random_bits(seed, Purpose::initialise, stream, place + 1));
      values[i] =
          static_cast<float>(std::sqrt(-2 * std::log1p(-u)) * std::cos(2 * std::numbers::pi * v));
    }
  });
  return drawn;
}

// A stream for each name.
uint64_t stream_of(const std::string& name) {
  uint64_t hash = name.size();
  for (const char c : name) hash = mix(hash + static_cast<unsigned char>(c));
  return hash;
}

bool is_norm(const std::string& name) {
  return name.find("norm") != std::string::npos || name.find(".ln_") != std::string::npos;
}

double reciprocal_root(int64_t x) {
  return 1 / std::sqrt(static_cast<double>(x));
}

}  // namespace

double t5_deviation(const T5Config& config, const std::string& name) {
  const double factor = config.initializer_factor;
  const double width = factor * reciprocal_root(config.d_model);
  if (name == "shared.weight" || name == "lm_head.weight") return factor;
  if (name.ends_with(".q.weight")) return width * reciprocal_root(config.d_kv);
  if (name.ends_with(".o.weight")) return factor * reciprocal_root(config.inner_width());
  if (name.ends_with(".wo.weight")) return factor * reciprocal_root(config.d_ff);
  return width;
}

double gpt2_deviation(const Gpt2Config& config, const std::string& name) {
  const bool ends_a_sublayer = name.ends_with("c_proj.weight");
  return ends_a_sublayer ? config.initializer_range * reciprocal_root(2 * config.n_layer)
                         : config.initializer_range;
}

void draw_parameters(const ParameterSlots& slots, uint64_t seed,
                     const std::function<double(const std::string& name)>& deviation) {
  for (const ParameterSlot& slot : slots) {
    if (slot.name.ends_with("bias")) {
      *slot.tensor = at::zeros(slot.shape);
    } else if (is_norm(slot.name)) {
      *slot.tensor = at::ones(slot.shape);
    } else {
      *slot.tensor = normal(slot.shape, seed, stream_of(slot.name)) * deviation(slot.name);
    }
  }
}

at::Tensor with_new_rows(const at::Tensor& table, int64_t size, uint64_t seed) {
  constexpr double kVariance = 1e-9;
  const at::Tensor mean = table.mean(0);
  const at::Tensor deviation = (table - mean).square().mean(0).sqrt() * std::sqrt(kVariance);
  const int64_t added = size - table.size(0);
  const at::Tensor drawn = normal({added, table.size(1)}, seed, stream_of("new tokens"));
  return at::cat({table, mean + deviation * drawn});
}

}  // namespace rubric
