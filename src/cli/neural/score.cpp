// rubric score with a metric that needs a model.
#include "cli/score/score.h"

#include <optional>

#include "cli/neural/run_on_ranks.h"
#include "core/system/log.h"
#include "distributed/ranks.h"
#include "library/neural/scoring.h"

namespace rubric::cli {
namespace {

void score_on_ranks(const distributed::Ranks& ranks, const std::vector<std::string>& arguments) {
  const std::optional<ScoreCommand> command = parse_score_command(arguments);
  if (!command) return;
  share_threads();
  ranks.set_activity("reading the input");
  require_same_input(ranks, command->request.input.string());
  print_scores(*command, library::score_on(ranks, command->request));
}

}  // namespace

template <>
int run_neural<kScore>(const Arguments& arguments) {
  return run_on_ranks("score", arguments,
                      [&](const distributed::Ranks& ranks) { score_on_ranks(ranks, arguments); });
}

}  // namespace rubric::cli
