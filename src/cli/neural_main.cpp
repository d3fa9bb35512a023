// rubric-neural: the commands that need libtorch. Users call rubric, which starts this.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "cli/list.h"
#include "cli/neural/worker.h"
#include "cli/shared/program.h"
#include "library/neural/plain_errors.h"

namespace {

using namespace rubric::cli;

// The commands of the list that rubric-neural runs.
constexpr size_t kNeuralCount = static_cast<size_t>(
    std::ranges::count_if(kCommands, [](const Command* command) { return command->is_neural; }));
constexpr auto kNeuralCommands = [] {
  std::array<const Command*, kNeuralCount> neural{};
  std::ranges::copy_if(kCommands, neural.begin(),
                       [](const Command* command) { return command->is_neural; });
  return neural;
}();

using Run = int (*)(const Arguments& arguments);

template <size_t... kIndex>
constexpr std::array<Run, kNeuralCount> runs(std::index_sequence<kIndex...>) {
  return {run_neural<*kNeuralCommands[kIndex]>...};
}

// A command of this program: with what it runs here, not in rubric, whose functions are not linked.
constexpr std::array<Command, kNeuralCount> kOwnCommands = [] {
  constexpr std::array<Run, kNeuralCount> kRuns = runs(std::make_index_sequence<kNeuralCount>());
  std::array<Command, kNeuralCount> own{};
  for (size_t i = 0; i < kNeuralCount; ++i) {
    own[i] = *kNeuralCommands[i];
    own[i].run = kRuns[i];
  }
  return own;
}();

int run_with_plain_errors(const Command& command, const Arguments& arguments) {
  const char* const advice =
      command.name == kTrain.name ? rubric::library::kTrainMemory : rubric::library::kMemory;
  return rubric::library::with_plain_errors(advice, [&] { return command.run(arguments); });
}

// Sets what oneDNN and cuBLAS read from the environment at their first product; called before,
// while there is one thread. float32 stays float32, whatever ONEDNN_DEFAULT_FPMATH_MODE says; and
// unless ONEDNN_PRIMITIVE_CACHE_CAPACITY is set only few compiled products are cached: each takes
// 0.3 MB or more, and nearly every batch has a different number of rows. cuBLAS computes the same
// bits again with a workspace of its own for each stream.
void set_up_environment() {
  // A thread's batch needs four products in each layer and as many in backward; the layers share
  // them.
  constexpr unsigned kProductsOfThread = 16;
  const unsigned products = kProductsOfThread * std::max(2U, std::thread::hardware_concurrency());
  setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", std::to_string(products).c_str(), /*overwrite=*/0);
  setenv("ONEDNN_DEFAULT_FPMATH_MODE", "STRICT", /*overwrite=*/1);
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
}

}  // namespace

int main(int argc, char** argv) {
  set_up_environment();
  if (argc == 2 && argv[1] == std::string(kWorkerOption)) return serve_requests();
  std::array<const Command*, kNeuralCount> commands{};
  std::ranges::transform(kOwnCommands, commands.begin(), [](const Command& own) { return &own; });
  const int code = run_program(argc, argv, commands, run_with_plain_errors);
  std::fflush(nullptr);
  std::_Exit(code);  // without libtorch's destructors, which take 0.05 s
}
