#include "models/ops/autocast.h"

#include <ATen/autocast_mode.h>

namespace rubric {

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
  // A weight is read once in a pass. Its copy, where it was made without gradients, as in a
  // checkpointed layer, would be taken for the weight where they are needed.
  at::autocast::set_autocast_cache_enabled(false);
}

Autocast::~Autocast() {
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::set_autocast_dtype(device_, was_type_);
  at::autocast::set_autocast_cache_enabled(cached_weights_);
}

}  // namespace rubric
