// rubric: one program with many commands. Those that need libtorch open librubric-neural.so.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "cli/shared/neural_half.h"
#include "cli/shared/program.h"

namespace {

// Sets what libgomp reads from the environment when it is loaded, and oneDNN and cuBLAS at their
// first product; called before libtorch is loaded, while there is one thread.
//
// A thread that waits for the others of a loop spins 300,000 times before it sleeps, milliseconds
// in which, beside other programs, it keeps the core from those it waits for. float32 stays
// float32, whatever ONEDNN_DEFAULT_FPMATH_MODE says; and unless ONEDNN_PRIMITIVE_CACHE_CAPACITY is
// set only few compiled products are cached: each takes 0.3 MB or more, and nearly every batch has
// a different number of rows. cuBLAS computes the same bits again with a workspace of its own for
// each stream.
void set_up_environment() {
  // A thread's batch needs four products in each layer and as many in backward; the layers share
  // them.
  constexpr unsigned kProductsOfThread = 16;
  const unsigned products = kProductsOfThread * std::max(2U, std::thread::hardware_concurrency());
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  if (policy == nullptr || *policy == '\0') setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
  setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", std::to_string(products).c_str(), /*overwrite=*/0);
  setenv("ONEDNN_DEFAULT_FPMATH_MODE", "STRICT", /*overwrite=*/1);
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
}

}  // namespace

int main(int argc, char** argv) {
  set_up_environment();
  const int code = rubric::cli::run_program(argc, argv);
  if (!rubric::cli::is_neural_half_open()) return code;
  std::fflush(nullptr);
  std::_Exit(code);  // without libtorch's destructors, which take 0.05 s
}
