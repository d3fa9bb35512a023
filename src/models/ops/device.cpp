#include "models/ops/device.h"

#include <mutex>

#include <ATen/autocast_mode.h>

namespace rubric::models {

at::Tensor on_device(const at::Tensor& tensor, at::Device device) {
  if (device.is_cpu()) return tensor;
  const at::Tensor& from = device.is_cuda() ? tensor.pin_memory() : tensor;
  return from.to(device, tensor.scalar_type(), /*non_blocking=*/true);
}

at::Tensor index_tensor(const std::vector<int64_t>& values, at::Device device) {
  return on_device(at::tensor(at::IntArrayRef(values), at::kLong), device);
}

void move_to(at::Device device, const NamedTensors& tensors) {
  if (device.is_cpu()) return;
  for (const auto& [name, tensor] : tensors) tensor.set_data(tensor.to(device));
}

at::Tensor random_state(at::Device device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

void set_random_seed(at::Device device, uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
}

void set_random_state(at::Device device, const at::Tensor& state) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

bool is_autocast(at::DeviceType device) {
  return at::autocast::is_autocast_enabled(device);
}

Autocast::Autocast(at::DeviceType device, bool enabled)
    : device_(device),
      was_enabled_(is_autocast(device)),
      cached_weights_(at::autocast::is_autocast_cache_enabled()),
      was_type_(at::autocast::get_autocast_dtype(device)) {
  at::autocast::set_autocast_enabled(device, enabled);
  at::autocast::set_autocast_dtype(device, at::kBFloat16);
  // Weights are used once per pass, so caching their bfloat16 copies gains nothing; and a copy made
  // without gradients, as in a checkpointed layer, would be reused where gradients are needed.
  at::autocast::set_autocast_cache_enabled(false);
}

Autocast::~Autocast() {
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::set_autocast_dtype(device_, was_type_);
  at::autocast::set_autocast_cache_enabled(cached_weights_);
}

}  // namespace rubric::models
