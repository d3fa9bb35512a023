// What librubric-neural.so has for the program.
#include "cli/shared/neural_half.h"

#include <iostream>
#include <optional>
#include <vector>

#include "cli/neural/command_ranks.h"
#include "cli/neural/worker.h"
#include "cli/shared/program.h"
#include "core/error.h"
#include "core/system/terminal.h"
#include "distributed/collective.h"
#include "eval/neural/score_models.h"
#include "metrics/neural/allennlp_import.h"
#include "metrics/neural/generation.h"
#include "models/derived_models.h"
#include "models/plain_errors.h"
#include "train/loop/training.h"
#include "train/settings/train_config.h"

namespace rubric::cli {
namespace {

template <class Request, void (*kFunction)(const Request&, const Context&),
          const char* kAdvice = models::kMemory>
void plainly(const Request& request, const Context& context) {
  models::with_plain_errors(kAdvice, [&] { kFunction(request, context); });
}

// Makes a model directory, and says where it is.
template <class Request, void (*kFunction)(const Request&, const Context&)>
void make_model(const Request& request, const Context& context) {
  plainly<Request, kFunction>(request, context);
  std::cout << "model: " << request.output.string() << "\n";
}

void generate(const data::GenerateRequest& request, const Context& /*context*/) {
  const distributed::Ranks ranks = join_ranks();
  begin_together(ranks, command_line());
  distributed::run_on_all_ranks(ranks, [&] {
    share_threads(request.threads);
    ranks.set_activity("reading the input");
    require_same_input(ranks, request.input.string());
    metrics::generate_rows(ranks, request);
  });
}

void train(const TrainCommand& command, const Context& /*context*/) {
  if (command.prints_keys) {
    std::cout << train::train_config_page();
    return;
  }
  const distributed::Ranks ranks = join_ranks();
  begin_together(ranks, command.is_dry_run ? "rubric train --dry-run" : "rubric train");
  if (command.is_dry_run) {
    distributed::run_on_all_ranks(ranks, [&] {
      if (ranks.is_main()) std::cout << train::describe_run(command.training);
    });
    return;
  }
  TrainRequest request = command.training;
  request.command = command_line();
  const TrainResult result = train::train_on(ranks, request);
  if (result.was_finished || !ranks.is_main()) return;
  std::cout << print(result.report, OutputFormat::text, terminal_width())
            << "model: " << result.model.string() << "\n";
}

std::vector<FileScore> score(const ScoreRequest& request,
                             const std::optional<eval::Scoring>& checked) {
  return models::with_plain_errors(models::kMemory, [&] {
    const distributed::Ranks ranks = join_ranks();
    begin_together(ranks, command_line());
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

constexpr NeuralHalf kHalf = {
    .train = plainly<TrainCommand, train, models::kTrainMemory>,
    .generate = plainly<data::GenerateRequest, generate>,
    .import_model = make_model<data::ImportRequest, metrics::import_model>,
    .quantize = make_model<data::QuantizeRequest, models::quantize_model>,
    .average = make_model<data::AverageRequest, models::average_models>,
    .end_ranks = end_ranks,
    .score = score,
    .serve_requests = serve_requests};

}  // namespace
}  // namespace rubric::cli

extern "C" {
extern const rubric::cli::NeuralHalf rubric_neural_half;
const rubric::cli::NeuralHalf rubric_neural_half = rubric::cli::kHalf;
}
