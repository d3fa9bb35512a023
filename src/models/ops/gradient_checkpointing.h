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

}  // namespace rubric::models
