// Training. It needs libtorch: link rubric::neural.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/missing.h"
#include "rubric/result.h"

namespace rubric {

// docs/configuration.md has the keys.
struct TrainConfiguration {
  std::string file;                    // YAML: a path, or the name of one that ships
  std::vector<std::string> overrides;  // "run.epochs=3"

  void visit_fields(auto& field) {
    field("config", file, "as given, else looked up under configs/").named("FILE");
    field("set", overrides,
          "overrides one key, such as optimizer.learning_rate=1e-5; may be repeated")
        .named("KEY=VALUE");
  }
};

struct TrainRequest {
  TrainConfiguration configuration;
  std::filesystem::path output = {};  // the run directory; "": runs/ and the configuration's name
  std::string resume = "auto";        // or "never", or a run directory, in place of `output`
  // Resumes an existing run with other values of run.epochs and the like (docs/training.md).
  bool extend = false;
  std::map<std::string, std::string> fields = {};  // the data's names of fields, by ours
  bool without_question_hashes = false;
  bool any_build = false;
  Missing missing = Missing::automatic;  // as the configuration says
  std::string command = {};              // that the run's report shows; "": none

  void visit_fields(auto& field) {
    configuration.visit_fields(field);
    field("output", output, "run directory; else runs/ and the configuration's name")
        .folder()
        .short_as('o');
    field("resume", resume,
          "auto: resume the run in the run directory; never: refuse if it holds anything; or a run "
          "directory to resume")
        .named("HOW");
    field("extend", extend,
          "continues a finished or stopped run with other values of run.epochs, run.patience, "
          "run.validate_every, run.checkpoint_every or run.keep_checkpoints");
    field("field", fields,
          "the data's own name of a field, such as candidate=prediction; may be repeated; replaces "
          "data.fields");
    field("no-question-hashes", without_question_hashes,
          "the model does not list the questions that it has seen; sets data.question_hashes to "
          "false");
    field("any-build", any_build,
          "resumes a run that another build of rubric trained; results.json names all builds");
    visit_missing(field, missing);
  }
};

struct ValidationPoint {
  int64_t step = 0, epoch = 0;  // updates made; epochs started
  // Mean over the updates since the previous validation; nothing before the first update.
  std::optional<double> train_loss;
  std::optional<double> value;          // the metric value; nothing when undefined
  bool is_best = false;                 // at the time of this validation
  std::optional<double> dev_loss = {};  // mean over the dev rows; nothing in runs of older builds
};

// The value of one of those compared on the dev rows: the best model of a run ("this run"), the
// model that it started from, token F1.
struct DevValue {
  std::string name;
  std::optional<double> value;  // of the metric of the validations; nothing when undefined
};

struct TrainResult {
  std::filesystem::path run, model;  // the run directory, and the best model in it
  std::vector<ValidationPoint> validations;
  bool was_finished = false;  // before this call, which then did nothing and has no validations
  // What results.json has (docs/results_format.md): the best model's validation, and its comparison
  // on the dev rows with the model that the run started from, token F1 and others.
  Result report = {};
};

// Trains on this process alone. The observer gets each training loss and validation value. The
// configuration's `threads` is libtorch's number of threads during the call. Its `device: cuda`
// makes libtorch deterministic during the call, needs :4096:8 or :16:8 in
// $CUBLAS_WORKSPACE_CONFIG, and makes the first GPU that of the calling thread. Throws
// - InputError for a wrong configuration or wrong data;
// - Interrupted, with everything saved, when the context's token is cancelled;
// - Error for an error of libtorch, such as too little memory.
RUBRIC_PUBLIC TrainResult train_model(const TrainRequest& request, const Context& context = {});

}  // namespace rubric
