// The model of the best validation so far, which a run directory keeps as best/ and in the end as
// model/: checkpoints go, and it is not in the last of them. Its validation.json says which
// validation that was.
#pragma once

#include <cstdint>
#include <filesystem>

#include "train/checkpoints/run_directory_part.h"
#include "train/task.h"
#include "train/checkpoints/checkpoints.h"

namespace rubric {

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

}  // namespace rubric
