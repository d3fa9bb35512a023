// rubric score: light metrics here, anything neural handed over.
#include "cli/commands.h"
#include "cli/program.h"
#include "cli/score_command.h"
#include "core/error.h"
#include "distributed/launch.h"
#include "metrics/light_metrics.h"
#include "metrics/model_option.h"

namespace rubric {

int run_score(const std::vector<std::string>& arguments) {
  // Of several processes one writes, and all end with what ends it: they must know of each other.
  if (read_launch().size > 1) hand_over_to_neural("score", arguments);
  const std::optional<ScoreRequest> request = parse_score_request(arguments);
  if (!request) return kDone;
  std::vector<std::unique_ptr<Metric<Answer>>> metrics;
  for (const std::string& name : request->metrics) {
    if (is_neural_metric(name)) hand_over_to_neural("score", arguments);
    metrics.push_back(make_light_metric(name, {request->strip}));
  }
  AnswerFile file = read_answers(*request);
  write_scored(*request, file, score_answers(metrics, file));
  return kDone;
}

}  // namespace rubric
