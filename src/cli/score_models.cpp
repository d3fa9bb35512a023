#include "cli/score_models.h"

#include <algorithm>

#include "core/error.h"
#include "metrics/model_option.h"

namespace rubric {

std::map<std::string, std::string> models_by_metric(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& scored) {
  std::map<std::string, std::string> models;
  for (const std::string& value : given) {
    const std::string where = "--model " + value;
    auto [metric, model] = parse_model_option(value);
    if (metric.empty() && scored.size() > 1) {
      throw InputError("the model may be any of " + join(scored), where,
                       "write --model " + scored.front() + "=" + value);
    }
    if (metric.empty() && scored.empty()) {
      throw InputError("no metric that is scored takes a model", where, "leave it out");
    }
    if (metric.empty()) metric = scored.front();
    if (model.empty()) {
      throw InputError("--model is empty", "command line",
                       "name a file or folder, or leave --model out");
    }
    if (std::ranges::find(scored, metric) == scored.end()) {
      throw InputError("the metric " + metric + " is not scored", where, "leave its model out");
    }
    if (!models.emplace(metric, model).second) {
      throw InputError("the metric " + metric + " has two models", where, "name one");
    }
  }
  return models;
}

}  // namespace rubric
