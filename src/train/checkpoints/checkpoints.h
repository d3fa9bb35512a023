// How far a run has come, in numbers: what a checkpoint holds besides tensors.
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

// The model of the best validation so far, which a run directory keeps as best/ and in the end as
// model/: checkpoints go, and it is not in the last of them. Its validation.json says which
// validation that was.

// Replaces best/ and the predictions by those of `task` as it is, of the validation at `point`.
void save_best_model(RunDirectory& run, Task& task, const Validation& validation,
                     const ValidationPoint& point);

// The update after which the best model was validated. Throws InputError when that cannot be told.
int64_t best_model_step(const std::filesystem::path& run);

// Throws InputError that names the file when the best model of `run` is gone or is not what was
// saved, or when it is of an update before `step`.
void require_best_model(const std::filesystem::path& run, int64_t step);

// Gives it, which must be of update `step`, its last name. What an earlier start has published
// stays.
void publish_best_model(const std::filesystem::path& run, int64_t step);

// Where a run stands, saved so that it goes on bit for bit.

// Writes checkpoints/step-NNNNNN, which appears by rename after everything in it is on disk, sealed
// (core/sealed_folder.h); older ones than the `keep` latest go. Every rank calls it. Only rank 0
// has a `run`, and writes all of it unless the optimiser has shares: then each rank writes its own.
// Throws Error on all ranks, with one explanation, when any cannot write; the earlier checkpoints
// stay. Returns when it is published.
void save_checkpoint(const distributed::Ranks& ranks, RunDirectory* run, const TrainState& state,
                     const Optimizer& optimizer, int64_t keep);

struct Resumed {
  TrainState state;
  models::NamedTensors optimizer;  // what was saved of it, of all shares
};

// The newest checkpoint's state, its parameters and optimiser restored in place; nothing when there
// is none. One whose files are not those that were written, or that is of another update than its
// name says, is named in a warning and put aside as NAME.refused, and the one before it is used;
// when none can be, InputError. What was logged after it is cut; of the good ones it and the
// `keep` - 1 before it stay. Throws InputError when the best model so far is damaged, and Error,
// with every checkpoint where it was, when the newest cannot be read now: the disk fails, memory is
// short.
std::optional<Resumed> resume(RunDirectory& run, Optimizer& optimizer, int64_t keep);

// Where all ranks start: resume() of rank 0's `run`, else at the beginning. Only rank 0 has a run
// directory and reads it; the others get state, parameters and their share of the optimiser from
// it. Throws InputError on all when the optimiser has shares and a rank does not see the directory
// or another of that name.
TrainState resume_collectively(const distributed::Ranks& ranks, RunDirectory* run,
                               Optimizer& optimizer, int64_t keep);

}  // namespace rubric::train
