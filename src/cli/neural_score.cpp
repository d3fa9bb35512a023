// rubric score with a neural metric in its list.

#include <ATen/Parallel.h>

#include "cli/commands.h"
#include "cli/score_command.h"
#include "core/error.h"
#include "data/model_directory.h"
#include "metrics/light_metrics.h"
#include "neural_metrics/lerc.h"

namespace rubric {
namespace {

std::unique_ptr<Metric<Answer>> make_metric(const std::string& name, const ScoreRequest& request) {
  if (!is_neural_metric(name)) return make_light_metric(name, {request.strip});
  if (request.model.empty()) {
    throw InputError("the metric " + name + " needs a model", "command line",
                     "add --model DIR, such as the model/ folder of a finished run");
  }
  return make_lerc(find_model(request.model), {.show_progress = true});
}

}  // namespace

int run_score(const std::vector<std::string>& arguments) {
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return kDone;
  if (request->threads > 0) at::set_num_threads(static_cast<int>(request->threads));
  std::vector<std::unique_ptr<Metric<Answer>>> metrics;
  for (const std::string& name : request->metrics) metrics.push_back(make_metric(name, *request));
  score_file(*request, metrics);
  return kDone;
}

}  // namespace rubric
