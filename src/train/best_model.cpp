#include "train/best_model.h"

#include "core/error.h"
#include "core/sealed_folder.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBest = "best";
constexpr const char* kPublished = "model";

}  // namespace

void require_best_model(const fs::path& run) {
  const fs::path best = run / (fs::exists(run / kBest) ? kBest : kPublished);
  try {
    const SealedFolder whole(best);
  } catch (const InputError& error) {
    throw InputError("the best model of this run cannot be used: " + one_line(error), best.string(),
                     "put it back, or delete the run directory to train again");
  }
}

void publish_best_model(const fs::path& run) {
  require_best_model(run);
  if (!fs::exists(run / kBest)) return;
  fs::remove_all(run / kPublished);
  fs::rename(run / kBest, run / kPublished);
}

}  // namespace rubric
