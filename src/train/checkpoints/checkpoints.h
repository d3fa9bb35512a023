// Checkpoints of a training run: its progress in numbers (TrainState), the best model so far, and
// saving and resuming, after which a run continues bit for bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "train/checkpoints/run_directory.h"
#include "train/optimizers/optimizer.h"
#include "train/task.h"

namespace rubric::train {

using rubric::ValidationPoint;

// All that is needed, with the parameters and the optimiser, to resume after `step` updates.
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

// The best model so far by validation. The run directory keeps it as best/, and as model/ once
// training is over, because checkpoints are deleted and the last one need not hold it. Its
// validation.json says which validation it comes from.

// Replaces best/ and the predictions by `task`'s current model and those of the validation at
// `point`.
void save_best_model(RunDirectory& run, Task& task, const Validation& validation,
                     const ValidationPoint& point);

// best/ of the run or, where training was over and has not found a better one since, model/.
std::filesystem::path best_model_place(const std::filesystem::path& run);

// Returns the update after which the best model was validated. Throws InputError when it cannot be
// read.
int64_t best_model_step(const std::filesystem::path& run);

// Throws InputError that names the file when the best model of `run` is missing or damaged, or
// comes from an update before `step`.
void require_best_model(const std::filesystem::path& run, int64_t step);

// Renames best/, which must be of update `step`, to model/. Without best/ the model/ published by
// an earlier start is kept.
void publish_best_model(const std::filesystem::path& run, int64_t step);

// Saving and resuming.

// Writes checkpoints/step-NNNNNN, which appears by rename after all its files are on disk and is
// sealed (core/files/directories.h), and deletes all but the `keep` newest. Collective. Only rank 0
// has a `run` and writes all of it, unless the optimiser state is sharded: then each rank writes
// its own shard. Throws Error on all ranks, with one explanation, when any cannot write; earlier
// checkpoints are kept. Returns when the checkpoint is published.
void save_checkpoint(const distributed::Ranks& ranks, RunDirectory* run, const TrainState& state,
                     const Optimizer& optimizer, int64_t keep);

struct Resumed {
  TrainState state;
  models::NamedTensors optimizer;  // its saved state, of all shards
};

// Restores parameters and optimiser from the newest checkpoint, in place, and returns its state;
// nothing without checkpoint. A checkpoint that is damaged, or from another update than its name
// says, is reported in a warning, renamed to NAME.refused and skipped; InputError when no
// checkpoint is usable. Log events after the checkpoint are removed; of the usable checkpoints the
// newest `keep` stay. Throws InputError when the best model so far is damaged, and Error, leaving
// every checkpoint in place, when the newest cannot be read now (a disk error, too little memory).
std::optional<Resumed> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep);

// Returns the state from which all ranks start: that of resume() with rank 0's `run`, else the
// initial one. Only rank 0 has a run directory; the others get state, parameters and their shard of
// the optimiser from it. Throws InputError on all ranks when the optimiser is sharded and a rank
// does not see rank 0's directory.
TrainState resume_collectively(const distributed::Ranks& ranks, RunDirectory* run,
                               Optimizer& optimizer, int64_t keep);

}  // namespace rubric::train
