// What needs libtorch of the program: librubric-neural.so, which is opened when a command or a
// metric needs it, because a program that links libtorch takes a third of a second to start.
#pragma once

#include <exception>
#include <optional>
#include <vector>

#include "cli/command.h"
#include "data/model_files/derived_model.h"
#include "data/source_targets/generate_request.h"
#include "eval/score/score.h"
#include "rubric/training.h"

namespace rubric::cli {

struct TrainCommand {
  TrainRequest training;
  bool is_dry_run = false, prints_keys = false;

  void visit_fields(auto& field) {
    training.visit_fields(field);
    field("dry-run", is_dry_run,
          "prints the resolved configuration and the data sizes, and touches nothing");
    field("config-reference", prints_keys,
          "prints the reference page of all configuration keys, as Markdown");
  }
};

// Defined by cli/neural/neural_half.cpp under the name `rubric_neural_half`.
struct NeuralHalf {
  void (*train)(const TrainCommand& request, const Context& context) = nullptr;
  void (*generate)(const data::GenerateRequest& request, const Context& context) = nullptr;
  void (*import_model)(const data::ImportRequest& request, const Context& context) = nullptr;
  void (*quantize)(const data::QuantizeRequest& request, const Context& context) = nullptr;
  void (*average)(const data::AverageRequest& request, const Context& context) = nullptr;
  // Ends all processes of a launcher, of which this one has a wrong command line: one explains it.
  void (*end_ranks)(const std::exception_ptr& problem) = nullptr;
  // Without `checked` it checks the request, on each of several processes after they have met.
  std::vector<FileScore> (*score)(const ScoreRequest& request,
                                  const std::optional<eval::Scoring>& checked) = nullptr;
  int (*serve_requests)() = nullptr;  // for the Python package: cli/neural/worker.cpp
};

// `rubric worker`, which no list of commands shows.
inline constexpr const char kWorker[] = "worker";

// Opens it on the first call. Throws Error when it is not built or cannot be loaded, and InputError
// where the Python package has found no libtorch that fits.
const NeuralHalf& neural_half();

bool is_neural_half_open();

}  // namespace rubric::cli
