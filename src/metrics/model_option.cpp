#include "metrics/model_option.h"

#include <algorithm>

namespace rubric {

const std::vector<std::string>& neural_metric_names() {
  static const std::vector<std::string> kNeuralMetrics = {"lerc",      "similarity", "bertscore",
                                                          "bartscore", "likelihood", "rev"};
  return kNeuralMetrics;
}

bool is_neural_metric(const std::string& name) {
  return std::ranges::find(neural_metric_names(), name) != neural_metric_names().end();
}

ModelOption parse_model_option(const std::string& value) {
  const size_t equals = value.find('=');
  if (equals == std::string::npos || !is_neural_metric(value.substr(0, equals))) return {"", value};
  return {value.substr(0, equals), value.substr(equals + 1)};
}

}  // namespace rubric
