// Metrics with a model, which need libtorch. Link rubric::neural.
//
// They compute with libtorch's number of threads. Scores equal those of the commands if
// ONEDNN_DEFAULT_FPMATH_MODE is STRICT, as the commands set it, and at::Context forbids TF32.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/metrics.h"
#include "rubric/scoring.h"

namespace rubric {

// Makes a metric of answers with a model. `model` is a directory, or a name that is looked up under
// $RUBRIC_MODELS, among the shipped models and in Hugging Face's cache. "" is the metric's default
// model (MetricInfo). Nothing is downloaded. Throws InputError as make_metric() does, and for a
// model that does not suit the metric. An error of libtorch is thrown as Error, here and in
// score().
RUBRIC_PUBLIC std::unique_ptr<Metric<Answer>> make_metric_with_model(
    const std::string& name, const std::string& model, const SettingValues& settings = {},
    const Context& context = {});

// As score_file(), for any metrics.
RUBRIC_PUBLIC std::vector<FileScore> score_file_with_models(const ScoreRequest& request,
                                                            const Context& context = {});

}  // namespace rubric
