// The model of the best validation so far, which a run directory keeps as best/ and in the end as
// model/: checkpoints go, and it is not in the last of them.
#pragma once

#include <filesystem>

namespace rubric {

// Throws InputError that names the file when the best model of `run` is not what was saved, or
// gone.
void require_best_model(const std::filesystem::path& run);

// Gives it its last name. What an earlier start has published stays.
void publish_best_model(const std::filesystem::path& run);

}  // namespace rubric
