// Gradient checkpointing (Chen et al. 2016): a layer's intermediate results are dropped and
// recomputed in backward.
#pragma once

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace rubric::models {

using LayerFunction = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

// Computes layer(inputs) and keeps only the inputs. The layer must give the same numbers when
// called again with libtorch's generator and autocast restored. A plain call of layer(inputs) when
// no gradients are recorded.
at::Tensor checkpointed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs);

// A base of models that are layers one behind another.
class CheckpointedLayers {
 public:
  void checkpoint_gradients(bool enabled) { is_enabled_ = enabled; }

 protected:
  // layer(inputs), checkpointed where that is enabled. Every tensor with a gradient that is no
  // parameter must be among the inputs, and `layer` must own what else it reads.
  at::Tensor run_layer(const LayerFunction& layer, const std::vector<at::Tensor>& inputs) const {
    return is_enabled_ ? checkpointed(layer, inputs) : layer(inputs);
  }

 private:
  bool is_enabled_ = false;
};

}  // namespace rubric::models
