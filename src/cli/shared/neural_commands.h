// The commands that librubric-neural.so runs.
#pragma once

#include "cli/command.h"
#include "cli/shared/neural_half.h"

namespace rubric::cli {

// Calls the function of the neural half.
template <auto kFunction, class Request>
void run_neural(const Request& request, const Context& context) {
  (neural_half().*kFunction)(request, context);
}

inline constexpr Command kTrain = {
    .name = "train",
    .summary = "trains a metric as a configuration file says",
    .make_call = config::make_call<TrainCommand, run_neural<&NeuralHalf::train, TrainCommand>>,
    .is_neural = true,
    .has_ranks = true,
    .is_step = true,
    .has_link = true,
    .resumes = true,
    .makes_directory = true};

inline constexpr Command kGenerate = {
    .name = "generate",
    .summary = "writes texts with a sequence model, or chooses among given ones",
    .make_call = config::make_call<data::GenerateRequest,
                                   run_neural<&NeuralHalf::generate, data::GenerateRequest>>,
    .is_neural = true,
    .has_ranks = true,
    .is_step = true,
    .has_link = true,
    .resumes = true};

inline constexpr Command kImport = {
    .name = "import",
    .summary = "makes a model directory of a published archive",
    .make_call = config::make_call<data::ImportRequest,
                                   run_neural<&NeuralHalf::import_model, data::ImportRequest>>,
    .is_neural = true};

inline constexpr Command kQuantize = {
    .name = "quantize",
    .summary = "copies a model directory with weights in 8 bits, a quarter of the space",
    .make_call = config::make_call<data::QuantizeRequest,
                                   run_neural<&NeuralHalf::quantize, data::QuantizeRequest>>,
    .is_neural = true,
    .is_step = true,
    .makes_directory = true};

inline constexpr Command kAverage = {
    .name = "average",
    .summary = "makes one model of several: the mean of their weights",
    .make_call = config::make_call<data::AverageRequest,
                                   run_neural<&NeuralHalf::average, data::AverageRequest>>,
    .is_neural = true,
    .is_step = true,
    .makes_directory = true};

}  // namespace rubric::cli
