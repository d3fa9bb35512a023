// Matrix products in bfloat16 where their operands are float32 (libtorch's autocast).
#pragma once

#include <ATen/core/Tensor.h>

namespace rubric {

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

}  // namespace rubric
