// What the commands of the neural half do; each returns the exit code.
#pragma once

#include <optional>

#include "cli/command.h"
#include "cli/score/score.h"

namespace rubric::cli {

int run_train(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_import(const Arguments& arguments);
int run_quantize(const Arguments& arguments);
int run_average(const Arguments& arguments);

// Scores as `command` says, or as the arguments do: see NeuralHalf.
int run_score_with_models(const Arguments& arguments, const std::optional<ScoreCommand>& command);

}  // namespace rubric::cli
