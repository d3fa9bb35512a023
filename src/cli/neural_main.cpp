// rubric-neural: the commands that need libtorch. Users call rubric, which starts this.
#include <c10/util/Exception.h>

#include "cli/shared/program.h"
#include "core/error.h"
#include "models/ops/linear.h"

namespace {

constexpr const char kTrainMemory[] = "lower batches.max_tokens or threads";
constexpr const char kMemory[] =
    "use a smaller model, shorter texts, fewer --threads, or a machine with more memory";

// Translates libtorch's errors, which carry a C++ backtrace, and its out-of-memory errors.
template <int (*run)(const std::vector<std::string>&), const char* memory_advice = kMemory>
int with_plain_errors(const std::vector<std::string>& arguments) {
  try {
    return run(arguments);
  } catch (const c10::Error& error) {
    const std::string what = error.what_without_backtrace();
    const bool memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||  // a GPU's
                        what.find("not enough memory") != std::string::npos;
    throw rubric::Error(what, "libtorch", memory ? memory_advice : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  using rubric::cli::Command;
  rubric::models::set_up_onednn();
  constexpr bool kForRanks = true;
  static constexpr Command kCommands[] = {
      {"train", "trains a metric as a configuration file says",
       with_plain_errors<rubric::cli::run_train, kTrainMemory>, kForRanks},
      {"score", "scores a file of answers with one or more metrics",
       with_plain_errors<rubric::cli::run_score>, kForRanks},
      {"generate", "writes texts with a sequence model, or chooses among given ones",
       with_plain_errors<rubric::cli::run_generate>, kForRanks},
      {"import", "makes a model directory of a published archive",
       with_plain_errors<rubric::cli::run_import>},
  };
  return rubric::cli::run_program(argc, argv, kCommands);
}
