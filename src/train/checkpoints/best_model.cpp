#include <string>
#include <vector>

#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "train/checkpoints/checkpoints.h"
#include "train/checkpoints/run_directory.h"

namespace rubric::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBest = "best";
constexpr const char* kPublished = "model";
constexpr const char* kValidation = "validation.json";

int64_t step_of_best(const SealedDirectory& best) {
  const std::string file = best.path(kValidation);
  return Json::parse(best.read(kValidation), file).require_integer("step", file);
}

[[noreturn]] void refuse(const fs::path& best, const std::string& why) {
  throw InputError("the best model of this run cannot be used: " + why, best.string(),
                   "put it back, or delete the run directory to train again");
}

[[noreturn]] void refuse_step(const fs::path& best, int64_t found, int64_t step) {
  refuse(best, "it comes from update " + std::to_string(found) + ", but the best validation from " +
                   std::to_string(step));
}

// Checks all of its files and returns the update it comes from.
int64_t checked_step(const fs::path& best) {
  try {
    const SealedDirectory folder(best);
    folder.require_whole();
    return step_of_best(folder);
  } catch (const InputError& error) {
    refuse(best, one_line(error));
  }
}

}  // namespace

void save_best_model(RunDirectory& run, Task& task, const Validation& validation,
                     const ValidationPoint& point) {
  run.replace_directory(kBest, [&](const fs::path& folder) {
    task.save(folder, validation);
    write_file(folder / kValidation, to_json(point).dump(2) + "\n");
    return list_directory(folder);
  });
  run.save_predictions("dev", validation.predictions);
}

fs::path best_model_place(const fs::path& run) {
  return run / (fs::exists(run / kBest) ? kBest : kPublished);
}

int64_t best_model_step(const fs::path& run) {
  return step_of_best(SealedDirectory(best_model_place(run)));
}

void require_best_model(const fs::path& run, int64_t step) {
  const fs::path best = best_model_place(run);
  const int64_t found = checked_step(best);
  if (found < step) refuse_step(best, found, step);
}

void publish_best_model(const fs::path& run, int64_t step) {
  const fs::path best = best_model_place(run);
  const int64_t found = checked_step(best);
  if (found != step) refuse_step(best, found, step);
  if (!fs::exists(run / kBest)) return;
  if (fs::exists(run / kPublished)) discard(run / kPublished);
  fs::rename(run / kBest, run / kPublished);
}

}  // namespace rubric::train
