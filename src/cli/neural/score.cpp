// rubric score with a metric that needs a model.
#include <optional>

#include "cli/neural/commands.h"
#include "cli/neural/run_on_ranks.h"
#include "distributed/ranks.h"
#include "library/neural/scoring.h"

namespace rubric::cli {
namespace {

void score_on_ranks(const distributed::Ranks& ranks, const ScoreCommand& command) {
  share_threads();
  ranks.set_activity("reading the input");
  require_same_input(ranks, command.request.input.string());
  print_scores(command, library::score_on(ranks, command.request));
}

}  // namespace

int run_score_with_models(const Arguments& arguments, const std::optional<ScoreCommand>& parsed) {
  return run_on_ranks("score", arguments, [&](const distributed::Ranks& ranks) {
    const std::optional<ScoreCommand> command = parsed ? parsed : parse_score_command(arguments);
    if (command) score_on_ranks(ranks, *command);
  });
}

}  // namespace rubric::cli
