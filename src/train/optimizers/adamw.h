// AdamW (Loshchilov and Hutter 2019).
#pragma once

#include <vector>

#include "train/optimizers/optimizer.h"

namespace rubric {

class AdamW : public Optimizer {
 public:
  AdamW(Parameters parameters, OptimizerConfig config, WorkShare share = {});

  void step(double learning_rate) override;

 private:
  NamedTensors state() const override;  // the moments and the update counts

  OptimizerConfig config_;
  std::vector<at::Tensor> first_moments_, second_moments_, updates_;
};

}  // namespace rubric
