// Where a run stands, saved so that it goes on bit for bit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "train/optimizer.h"
#include "train/run_directory.h"

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

// Writes checkpoints/step-NNNNNN, which appears by rename after everything in it is on disk; older
// ones than the `keep` latest go.
void save_checkpoint(RunDirectory& run, const TrainState& state, const Optimizer& optimizer,
                     int64_t keep);

// The newest complete checkpoint's state, its parameters and optimiser restored in place; nothing
// when there is none. A checkpoint that cannot be read is named in a warning and the one before it
// is used; when none can, InputError. What was logged after it is cut; of the complete ones it and
// the `keep` - 1 before it stay.
std::optional<TrainState> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep);

// Where all ranks start: resume() of rank 0's `run`, else at the beginning. Only rank 0 has a run
// directory and reads it; the others get state, parameters and optimiser from it.
TrainState resume_together(const Ranks& ranks, RunDirectory* run, Optimizer& optimizer,
                           int64_t keep);

}  // namespace rubric
