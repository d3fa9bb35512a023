// What the parts of `derive` that make a prediction file share.
#pragma once

#include <string>

#include "data/derivations/derivations.h"

namespace rubric::cli {

// Writes the file, and says how many questions and steps it has.
void write_predictions(const data::DerivationPredictions& predictions, const std::string& output);

}  // namespace rubric::cli
