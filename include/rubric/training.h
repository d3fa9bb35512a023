// Training. It needs libtorch: link rubric::neural.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/result.h"

namespace rubric {

// Whether a run that is there already is resumed: by the build of rubric that trained it so far, by
// any build, or not at all.
enum class Resume { automatic, of_any_build, never };

struct TrainRequest {
  std::string configuration;           // YAML (docs/configuration.md): a path, or one that ships
  std::vector<std::string> overrides;  // "run.epochs=3"
  std::filesystem::path output;        // the run directory; "": runs/ and the configuration's name
  Resume resume = Resume::automatic;
  // Goes on with the run that is there, also where run.epochs, run.patience, run.validate_every,
  // run.checkpoint_every or run.keep_checkpoints is another; there must be one.
  bool extend = false;
  std::string command;  // that the run's report shows; "": none
};

struct ValidationPoint {
  int64_t step = 0, epoch = 0;  // updates made; epochs started
  // Mean over the updates since the previous validation; nothing before the first update.
  std::optional<double> train_loss;
  std::optional<double> value;          // the metric value; nothing when undefined
  bool is_best = false;                 // at the time of this validation
  std::optional<double> dev_loss = {};  // mean over the dev rows; nothing in runs of older builds
};

// What is compared on the dev rows: the best model of a run ("this run"), the model that it started
// from, token F1.
struct DevValue {
  std::string name;
  std::optional<double> value;  // of the metric of the validations; nothing when undefined
};

struct TrainResult {
  std::filesystem::path run, model;  // the run directory, and the best model in it
  std::vector<ValidationPoint> validations;
  bool was_finished = false;  // before this call, which then did nothing and has no validations
  // The best model's validation, and its comparison on the dev rows with the model that the run
  // started from, token F1 and others: what results.json has (docs/results_format.md).
  Result report = {};
};

// Trains on this process alone. The observer gets each training loss and validation value. The
// configuration's `threads` is libtorch's number of threads during the call; its `device: cuda`
// makes libtorch deterministic during the call, wants $CUBLAS_WORKSPACE_CONFIG to be :4096:8 or
// :16:8, and makes the first GPU that of the calling thread. Throws InputError for what is wrong in
// configuration and data; Interrupted, with everything saved, when the context's token is
// cancelled; Error for an error of libtorch, such as too little memory.
RUBRIC_PUBLIC TrainResult train_model(const TrainRequest& request, const Context& context = {});

}  // namespace rubric
