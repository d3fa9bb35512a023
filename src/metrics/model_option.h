// The metrics that take a model, and how an option names a model for one of them.
#pragma once

#include <string>
#include <vector>

namespace rubric {

const std::vector<std::string>& neural_metric_names();
bool is_neural_metric(const std::string& name);  // needs a model, and so rubric-neural

struct ModelOption {
  std::string metric;  // "" where none is named
  std::string model;
};

// A value of `score --model`: METRIC=MODEL, or MODEL alone. What stands before the first "=" names
// a metric only when a metric with a model is called that: a model may be called run=3.
ModelOption parse_model_option(const std::string& value);

}  // namespace rubric
