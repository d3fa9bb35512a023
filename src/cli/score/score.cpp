// rubric score: computes light metrics here and hands neural ones over to rubric-neural.
#include <algorithm>

#include "cli/shared/program.h"
#include "cli/shared/score_command.h"
#include "core/context.h"
#include "core/error.h"
#include "distributed/launch.h"
#include "metrics/list.h"

namespace rubric::cli {

int run_score(const std::vector<std::string>& arguments) {
  // Of several processes only one writes, and a failure ends all, for which they must be connected.
  if (distributed::read_launch().size > 1) hand_over_to_neural("score", arguments);
  const std::optional<ScoreCommand> command = parse_score_command(arguments);
  if (!command) return kDone;
  const auto needs_model = [](const std::string& name) {
    return metrics::require_metric(name).needs_model();
  };
  if (std::ranges::any_of(command->request.metrics, needs_model)) {
    hand_over_to_neural("score", arguments);
  }
  print_means(*command, score_file(command->request, current_context()));
  return kDone;
}

}  // namespace rubric::cli
