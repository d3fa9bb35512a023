// What needs libtorch of the program: librubric-neural.so, which is opened when a command or a
// metric needs it, because a program that links libtorch takes a third of a second to start.
#pragma once

#include <exception>
#include <optional>
#include <vector>

#include "cli/command.h"
#include "eval/score/score.h"

namespace rubric::cli {

// Defined by cli/neural/neural_half.cpp under the name `rubric_neural_half`.
struct NeuralHalf {
  int (*run)(const Command& command, const Arguments& arguments) = nullptr;
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
