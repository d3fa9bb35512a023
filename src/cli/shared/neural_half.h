// What needs libtorch of the program: librubric-neural.so, which is opened when a command or a
// metric needs it, because a program that links libtorch takes a third of a second to start.
#pragma once

#include <optional>

#include "cli/command.h"
#include "cli/score/score.h"

namespace rubric::cli {

// Defined by cli/neural/neural_half.cpp under the name `rubric_neural_half`.
struct NeuralHalf {
  int (*run)(const Command& command, const Arguments& arguments);
  // Without a command it parses the arguments, on each of several processes after they have met.
  int (*score)(const Arguments& arguments, const std::optional<ScoreCommand>& command);
  int (*serve_requests)();  // for the Python package: cli/neural/worker.cpp
};

// `rubric worker`, which no list of commands shows.
inline constexpr const char kWorker[] = "worker";

// Opens it on the first call. Throws Error when it is not built or cannot be loaded, and InputError
// where the Python package has found no libtorch that fits.
const NeuralHalf& neural_half();

bool is_neural_half_open();

}  // namespace rubric::cli
