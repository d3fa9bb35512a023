// Where a run stands, saved so that it goes on bit for bit.
#pragma once

#include <optional>

#include "train/optimizers/optimizer.h"
#include "train/checkpoints/run_directory_part.h"
#include "train/checkpoints/checkpoints.h"

namespace rubric {

// Writes checkpoints/step-NNNNNN, which appears by rename after everything in it is on disk, sealed
// (core/sealed_folder.h); older ones than the `keep` latest go. Every rank calls it. Only rank 0
// has a `run`, and writes all of it unless the optimiser has shares: then each rank writes its own.
// Throws Error on all ranks, with one explanation, when any cannot write; the earlier checkpoints
// stay. Returns when it is published.
void save_checkpoint(const Ranks& ranks, RunDirectory* run, const TrainState& state,
                     const Optimizer& optimizer, int64_t keep);

struct Resumed {
  TrainState state;
  NamedTensors optimizer;  // what was saved of it, of all shares
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
TrainState resume_together(const Ranks& ranks, RunDirectory* run, Optimizer& optimizer,
                           int64_t keep);

}  // namespace rubric
