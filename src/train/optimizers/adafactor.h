// Adafactor (Shazeer and Stern 2018) without first moment: of a matrix's squared gradients only the
// means of rows and columns are kept, so that it remembers next to nothing.
#pragma once

#include <vector>

#include "train/optimizers/optimizer.h"

namespace rubric {

// As transformers' Adafactor with relative_step off: the learning rate is the schedule's.
class Adafactor : public Optimizer {
 public:
  Adafactor(Parameters parameters, OptimizerConfig config, WorkShare share = {});

  void step(double learning_rate) override;

 private:
  // Running means of squared gradients. A tensor of shape [..., n, m] has those of its rows
  // [..., n] and columns [..., m]; one of fewer than two dimensions has `whole`.
  struct SecondMoment {
    at::Tensor rows, columns, whole;
    at::Tensor updates;  // how many were made
  };

  NamedTensors state() const override;
  void update(const Parameter& parameter, SecondMoment& moment, double learning_rate) const;

  OptimizerConfig config_;
  std::vector<SecondMoment> moments_;
};

}  // namespace rubric
