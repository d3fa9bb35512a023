#include "cli/shared/score_models.h"

#include <algorithm>

#include "cli/score/score_command.h"
#include "core/error.h"

namespace rubric {

std::map<std::string, std::string> models_by_metric(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& scored) {
  std::map<std::string, std::string> models;
  for (const std::string& value : given) {
    const std::string where = "--model " + value;
    const size_t equals = value.find('=');
    std::string metric = equals == std::string::npos ? "" : value.substr(0, equals), model = value;
    if (is_neural_metric(metric)) {
      model = value.substr(equals + 1);
    } else if (scored.size() == 1) {
      metric = scored.front();
    } else if (scored.size() > 1) {
      throw InputError("the model may be any of " + join(scored), where,
                       "write --model " + scored.front() + "=" + value);
    } else {
      throw InputError("no metric that is scored takes a model", where, "leave it out");
    }
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
