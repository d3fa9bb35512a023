// Gradient checkpointing (Chen et al. 2016): a layer's intermediate results are forgotten, and
// computed again in backward.
#pragma once

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace rubric::models {

using LayerFunction = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

// layer(inputs), of which only the inputs are kept. The layer must give the same numbers when it is
// called again, with libtorch's generator and autocast as they were. Plainly layer(inputs) where no
// gradients are recorded.
at::Tensor checkpointed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs);

}  // namespace rubric::models
