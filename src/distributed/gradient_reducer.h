// Sums gradients over ranks while backward still computes others, with c10d's Reducer (the
// all-reduce behind PyTorch's DistributedDataParallel).
#pragma once

#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/ranks.h"

namespace rubric::distributed {

// Buckets of parameters are formed once, from the parameters' order, so that a resumed run rounds
// its sums as an uninterrupted one does.
class GradientReducer {
 public:
  // `parameters` are distinct dense leaves that require gradients, the same on all ranks. They and
  // `ranks` must outlive this.
  GradientReducer(const std::vector<at::Tensor>& parameters, const Ranks& ranks);
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  // Calls loss.backward() and then replaces each gradient, including what earlier calls of
  // backward() accumulated in it, by its sum over all ranks, the same bits on each. A parameter
  // without gradient counts as 0, and stays without when no rank has one. A rank that has nothing
  // to compute takes part with an undefined `loss`. Collective; throws as the functions of Ranks
  // do.
  void backward(const at::Tensor& loss);

 private:
  struct Reduction;  // c10d's

  std::unique_ptr<Reduction> reduction_;  // null without a process group
};

}  // namespace rubric::distributed
