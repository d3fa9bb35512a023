// Where tensors are: on the CPU, or on a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include "models/weights/weights.h"

namespace rubric {

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

}  // namespace rubric
