// Predictions for validation data, each row computed on one rank.
#pragma once

#include <functional>

#include "data/batches.h"
#include "distributed/ranks.h"

namespace rubric {

// What `predict` gives for each rank's share, put together on all ranks: float32 of `shape`. It
// gives a tensor of that shape which is 0 outside the share, or one without elements when there is
// nothing in the share. When it throws Interrupted on one rank, all throw it.
at::Tensor predict_together(const Ranks& ranks, at::IntArrayRef shape,
                            const std::function<at::Tensor(Share)>& predict);

}  // namespace rubric
