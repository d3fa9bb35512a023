// Where tensors are: on the CPU, or on a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include "models/weights/weights.h"

namespace rubric::models {

// A copy of a tensor of the CPU on the device, or the tensor itself where that is the CPU. Nothing
// waits for the copy to a GPU, which is made from pinned memory.
at::Tensor on_device(const at::Tensor& tensor, at::Device device);

// Moves the tensors themselves, so that all who hold them have them there.
void move_to(at::Device device, const NamedTensors& tensors);

// The state of the generator that libtorch's dropout on the device draws from: bytes on the CPU.
// set_random_state() throws c10::Error when `state` is not of such a generator.
at::Tensor random_state(at::Device device);
void set_random_state(at::Device device, const at::Tensor& state);
void set_random_seed(at::Device device, uint64_t seed);

// Matrix products in bfloat16 where their operands are float32 (libtorch's autocast).

bool is_autocast(at::DeviceType device);

// As long as it lives: whether products on such devices are computed in bfloat16, on this thread.
// Norms, softmax and losses stay float32.
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
