#include "cli/shared/neural_half.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric::cli {
namespace {

const NeuralHalf* opened = nullptr;

// Opens a library and shows its symbols to those that are opened later, as CUDA's plug-in. To bind
// all calls in libtorch at once would take 0.01 s; ours are bound, as librubric-neural.so says.
void* open_library(const std::filesystem::path& file) {
  void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  if (library != nullptr) return library;
  throw Error(std::string("a library cannot be loaded: ") + dlerror(), file.string(),
              "run scripts/setup and scripts/build in the folder of the sources");
}

const NeuralHalf& open_neural_half() {
  // The Python package says so where it finds no libtorch that fits (python/rubric_program).
  const std::string problem = environment("RUBRIC_LIBTORCH_PROBLEM");
  if (!problem.empty()) throw InputError(problem);
  // librubric-neural.so.0.1 beside librubric.so.0.1, which this code is in.
  std::filesystem::path file = file_of_code(reinterpret_cast<const void*>(open_neural_half));
  const std::string light = "librubric", name = file.filename().string();
  file.replace_filename(light + "-neural" + name.substr(std::min(light.size(), name.size())));
  if (!is_there(file, "make the folder readable")) {
    throw Error("this command needs librubric-neural.so, which is not here", file.string(),
                "run scripts/build in the folder of the sources, or configure the build with "
                "-DRUBRIC_NEURAL=ON");
  }
  // And where it finds one: a library that is loaded is not looked for elsewhere.
  const std::string libtorch = environment("RUBRIC_LIBTORCH");
  if (!libtorch.empty()) open_library(std::filesystem::path(libtorch) / "libtorch_cpu.so");
  const void* const half = dlsym(open_library(file), "rubric_neural_half");
  if (half == nullptr) throw Error(dlerror(), file.string(), "run scripts/build again");
  return *static_cast<const NeuralHalf*>(half);
}

}  // namespace

const NeuralHalf& neural_half() {
  if (opened == nullptr) opened = &open_neural_half();
  return *opened;
}

bool is_neural_half_open() {
  return opened != nullptr;
}

}  // namespace rubric::cli
