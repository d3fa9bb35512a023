// rubric score: computes light metrics here and hands neural ones over to rubric-neural.
#include "cli/shared/program.h"
#include "cli/shared/score_command.h"
#include "core/error.h"
#include "distributed/launch.h"
#include "metrics/list.h"

namespace rubric::cli {

int run_score(const std::vector<std::string>& arguments) {
  // Of several processes only one writes, and a failure ends all, for which they must be connected.
  if (distributed::read_launch().size > 1) hand_over_to_neural("score", arguments);
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return kDone;
  std::vector<std::unique_ptr<metrics::Metric<data::Answer>>> metrics;
  for (const std::string& name : request->metrics) {
    if (is_neural_metric(name)) hand_over_to_neural("score", arguments);
    metrics.push_back(metrics::make_light_metric(name, {request->strip}));
  }
  data::AnswerFile file = read_score_input(*request);
  write_scored(*request, file, score_answers(metrics, file));
  return kDone;
}

}  // namespace rubric::cli
