// How far a run has come, in numbers: what a checkpoint holds besides tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"

namespace rubric {

struct ValidationPoint {
  int64_t step = 0, epoch = 0;   // updates made; epochs begun
  double train_loss = 0;         // mean over the updates since the validation before
  std::optional<double> figure;  // nothing: undefined
  bool is_best = false;          // so far
};

// With the parameters and the optimiser all that is needed to go on after `step` updates.
struct TrainState {
  int64_t step = 0;
  double loss_sum = 0;  // over the updates since the last validation
  int64_t loss_steps = 0;
  std::vector<ValidationPoint> validations;
};

const ValidationPoint* best_validation(const TrainState& state);  // nullptr before the first

Json to_json(const ValidationPoint& point);
Json to_json(const TrainState& state);
TrainState state_from(const Json& json, const std::string& where);  // throws InputError

}  // namespace rubric
