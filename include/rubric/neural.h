// What needs libtorch: metrics with a model, and training. Link rubric::neural.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/metrics.h"
#include "rubric/scoring.h"

namespace rubric {

// Makes a metric of answers with the model of a directory, or of a name that is looked up under
// $RUBRIC_MODELS and in Hugging Face's cache; nothing is downloaded. Throws InputError as
// make_metric() does and when the model does not suit the metric.
RUBRIC_PUBLIC std::unique_ptr<Metric<Answer>> make_metric_with_model(const std::string& name,
                                                       const std::string& model,
                                                       const SettingValues& settings = {},
                                                       const Context& context = {});

// As score_file(), for any metrics.
RUBRIC_PUBLIC std::vector<ScoreMean> score_file_with_models(const ScoreRequest& request,
                                              const Context& context = {});

struct TrainRequest {
  std::filesystem::path configuration;   // YAML (docs/configuration.md)
  std::vector<std::string> overrides;    // "run.epochs=3"
  std::filesystem::path output;          // the run directory; "": runs/ and the configuration's name
  enum class Resume { automatic, never, of_any_build } resume = Resume::automatic;
};

struct TrainResult {
  std::filesystem::path run, model;  // the run directory, and the best model in it
  int64_t best_step = 0;
  std::optional<double> best_value;  // of the validation; nothing where it is undefined
};

// Trains on this process alone, and resumes the run in `output` if there is one. The observer gets
// each training loss and validation value. Throws InputError for what is wrong in configuration and
// data, Interrupted, with everything saved, when the context's token is cancelled.
RUBRIC_PUBLIC TrainResult train(const TrainRequest& request, const Context& context = {});

}  // namespace rubric
