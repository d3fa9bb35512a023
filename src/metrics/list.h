// The list of light metrics (those without a neural model), and how they are made by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/records.h"
#include "metrics/metric.h"

namespace rubric::metrics {

struct LightMetricOptions {
  // Characters removed from references and candidate before BLEU, ROUGE-L and METEOR ("?.!" in the
  // MOCHA paper's baselines); "" removes none. A warning counts candidates that become empty.
  std::string strip;
};

// Makes one of bleu1 bleu2 bleu3 bleu4 rouge_l meteor f1 em recall contains, which gives one column
// of that name, in [0, 1]. Throws InputError for an unknown name, and for meteor when its data is
// missing; scoring throws InputError for a record without reference.
std::unique_ptr<Metric<data::Answer>> make_light_metric(const std::string& name,
                                                        const LightMetricOptions& options = {});

std::vector<std::string> light_metric_names();

}  // namespace rubric::metrics
