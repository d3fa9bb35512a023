#include "models/ops/device.h"

#include <mutex>

namespace rubric {

at::Tensor on_device(const at::Tensor& tensor, at::Device device) {
  if (device.is_cpu()) return tensor;
  const at::Tensor& from = device.is_cuda() ? tensor.pin_memory() : tensor;
  return from.to(device, tensor.scalar_type(), /*non_blocking=*/true);
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

}  // namespace rubric
