// Gradients added up over ranks while backward is still computing others: c10d's Reducer.
#pragma once

#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/ranks.h"

namespace rubric::distributed {

// Parameters are put into buckets once, by their order: so the sums of an interrupted run that goes
// on are rounded as those of one that was not.
class GradientReducer {
 public:
  // `parameters` are leaves that require gradients, dense and each there once, the same on all
  // ranks. They and `ranks` must live as long.
  GradientReducer(const std::vector<at::Tensor>& parameters, const Ranks& ranks);
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  // loss.backward(); then each gradient, with what calls of backward() before this one left in it,
  // is the sum over all ranks, the same bits on each. A parameter without gradient counts as 0, and
  // stays without when no rank has one. An undefined `loss` adds nothing: so a rank takes part that
  // has nothing to compute. Every rank calls it; throws as Ranks' functions do.
  void backward(const at::Tensor& loss);

 private:
  struct Reduction;  // c10d's

  std::unique_ptr<Reduction> reduction_;  // null for one process
};

}  // namespace rubric::distributed
