// What librubric-neural.so has for the program.
#include "cli/shared/neural_half.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/list.h"
#include "cli/neural/commands.h"
#include "cli/neural/worker.h"
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
  return !command->is_neural || command->run != nullptr ||
         find_neural(*command) != std::end(kNeuralCommands);
}));

int run(const Command& command, const Arguments& arguments) {
  const char* const advice = command.name == kTrain.name ? library::kTrainMemory : library::kMemory;
  return library::with_plain_errors(advice, [&] { return find_neural(command)->run(arguments); });
}

int score(const Arguments& arguments, const std::optional<ScoreCommand>& command) {
  return library::with_plain_errors(library::kMemory,
                                    [&] { return run_score_with_models(arguments, command); });
}

}  // namespace
}  // namespace rubric::cli

extern "C" {
extern const rubric::cli::NeuralHalf rubric_neural_half;
const rubric::cli::NeuralHalf rubric_neural_half = {rubric::cli::run, rubric::cli::score,
                                                    rubric::cli::serve_requests};
}
