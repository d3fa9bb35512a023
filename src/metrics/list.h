// The metrics that need no neural model, by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/records.h"
#include "metrics/metric.h"

namespace rubric::metrics {

struct LightMetricOptions {
  // Characters removed from references and candidate before BLEU, ROUGE-L and METEOR ("?.!" in the
  // MOCHA paper's baselines); "" removes none. Candidates of which nothing is left are counted in a
  // warning.
  std::string strip;
};

// bleu1 bleu2 bleu3 bleu4 rouge_l meteor f1 em recall contains: one column of that name, in [0, 1].
// Throws InputError for an unknown name, and for meteor when its data is not there; scoring throws
// InputError for a record without a reference.
std::unique_ptr<Metric<data::Answer>> make_light_metric(const std::string& name,
                                                        const LightMetricOptions& options = {});

std::vector<std::string> light_metric_names();

}  // namespace rubric::metrics
