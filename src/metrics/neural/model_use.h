// Metrics that need a model, made by their kind.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/source_targets/pair_config.h"
#include "distributed/ranks.h"
#include "metrics/kind.h"

namespace rubric::metrics {

struct ModelUse {
  std::string model;  // a directory, or a name as data::find_model() takes it; "": the metric's own
  const Settings& settings;
  bool show_progress = false;
  const distributed::Ranks& ranks =
      distributed::kSingleProcess;  // share the work; all call score()
};

// The directory of the model, or of the metric's default model where none is named. Throws
// InputError as data::find_model() does with these types of models.
std::filesystem::path model_directory(const MetricKind& kind, const ModelUse& use,
                                      const std::vector<std::string>& types);

// Make a metric of that record with a model. Throw InputError when the model does not suit it.
std::unique_ptr<AnswerMetric> make_answer_metric(const MetricKind& kind, const ModelUse& use);
std::unique_ptr<SourceTargetMetric> make_source_target_metric(const MetricKind& kind,
                                                              const ModelUse& use,
                                                              const data::PairConfig& config);
std::unique_ptr<RationaleMetric> make_rationale_metric(const MetricKind& kind, const ModelUse& use);

}  // namespace rubric::metrics
