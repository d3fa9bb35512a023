// In place of librubric-neural.so: `train` prints the variables that libtorch would read, and
// `train --dry-run` throws what a model that is wrong does.
#include <cstdio>
#include <cstdlib>

#include "cli/shared/neural_half.h"
#include "core/error.h"

namespace {

void train(const rubric::cli::TrainCommand& command, const rubric::Context& /*context*/) {
  if (command.is_dry_run) throw rubric::InputError("a wrong model", "model.bin", "name another");
  for (const char* const name : {"GOMP_SPINCOUNT", "ONEDNN_DEFAULT_FPMATH_MODE"}) {
    const char* const value = std::getenv(name);
    std::printf("%s=%s\n", name, value == nullptr ? "" : value);
  }
}

}  // namespace

extern "C" {
extern const rubric::cli::NeuralHalf rubric_neural_half;
const rubric::cli::NeuralHalf rubric_neural_half = {.train = train};
}
