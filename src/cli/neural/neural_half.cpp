// What librubric-neural.so has for the program.
#include "cli/shared/neural_half.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/list.h"
#include "cli/neural/commands.h"
#include "cli/neural/run_on_ranks.h"
#include "cli/neural/worker.h"
#include "cli/shared/program.h"
#include "core/system/signals.h"
#include "distributed/collective.h"
#include "eval/neural/score_models.h"
#include "library/neural/plain_errors.h"

namespace rubric::cli {
namespace {

struct NeuralCommand {
  std::string_view name;
  int (*run)(const Arguments& arguments);
};

constexpr NeuralCommand kNeuralCommands[] = {
    {kTrain.name, run_train},       {kGenerate.name, run_generate}, {kImport.name, run_import},
    {kQuantize.name, run_quantize}, {kAverage.name, run_average},
};

constexpr const NeuralCommand* find_neural(const Command& command) {
  return std::ranges::find(kNeuralCommands, command.name, &NeuralCommand::name);
}
static_assert(std::ranges::all_of(kCommands, [](const Command* command) {
  return !command->is_neural || command->make_call != nullptr ||
         find_neural(*command) != std::end(kNeuralCommands);
}));

int run(const Command& command, const Arguments& arguments) {
  const char* const advice = command.name == kTrain.name ? library::kTrainMemory : library::kMemory;
  return library::with_plain_errors(advice, [&] { return find_neural(command)->run(arguments); });
}

std::vector<FileScore> score_together(const ScoreRequest& request,
                                      const std::optional<eval::Scoring>& checked) {
  return library::with_plain_errors(library::kMemory, [&] {
    const distributed::Ranks ranks = join_ranks();
    catch_stop_signals();
    require_same_program(ranks, command_line());
    return distributed::run_on_all_ranks(ranks, [&] {
      const eval::Scoring scoring = checked ? *checked : eval::check_request(request);
      share_threads();
      ranks.set_activity("reading the input");
      require_same_input(ranks, request.input.string());
      return eval::score_on(ranks, request, scoring);
    });
  });
}

void end_ranks(const std::exception_ptr& problem) {
  distributed::throw_collectively(join_ranks(), problem);
}

}  // namespace
}  // namespace rubric::cli

extern "C" {
extern const rubric::cli::NeuralHalf rubric_neural_half;
const rubric::cli::NeuralHalf rubric_neural_half = {.run = rubric::cli::run,
                                                    .end_ranks = rubric::cli::end_ranks,
                                                    .score = rubric::cli::score_together,
                                                    .serve_requests = rubric::cli::serve_requests};
}
