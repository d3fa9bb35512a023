// Device placement (CPU or GPU), the state of a device's random generator, and autocast.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "models/weights/weights.h"

namespace rubric::models {

// Copies a CPU tensor to the device, asynchronously from pinned memory; returns the tensor itself
// when that is the CPU.
at::Tensor on_device(const at::Tensor& tensor, at::Device device);

// Token ids or positions as a tensor: int64 [tokens].
at::Tensor index_tensor(const std::vector<int64_t>& values, at::Device device = at::kCPU);

// Moves the tensors in place, so that all holders see them there.
void move_to(at::Device device, const NamedTensors& tensors);

// The state of the generator from which libtorch's dropout on the device draws: bytes on the CPU.
// set_random_state() throws c10::Error when `state` is not of such a generator.
at::Tensor random_state(at::Device device);
void set_random_state(at::Device device, const at::Tensor& state);
void set_random_seed(at::Device device, uint64_t seed);

// Whether matrix products of float32 operands are computed in bfloat16 (libtorch's autocast).
bool is_autocast(at::DeviceType device);

// Sets autocast to bfloat16 on devices of this type, on this thread, during its lifetime. Norms,
// softmax and losses stay float32.
class Autocast {
 public:
  Autocast(at::DeviceType device, bool enabled);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  at::DeviceType device_;
  bool was_enabled_, cached_weights_;
  at::ScalarType was_type_;
};

}  // namespace rubric::models
