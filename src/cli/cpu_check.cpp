// Makes a build for x86-64-v3 end on an older CPU with a message instead of an illegal instruction.
#include <cstdio>

#include <unistd.h>

namespace {

// CMake compiles this file for any x86-64.
void require_cpu() {
  constexpr char kMessage[] =
      "error: this build of rubric needs a CPU with AVX2, BMI2 and FMA (x86-64-v3)\n"
      "  to do: build it for this one: cmake --preset release -DRUBRIC_ARCHITECTURE=x86-64\n";
  constexpr int kFailed = 1;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma")) {
    return;
  }
  std::fputs(kMessage, stderr);
  _exit(kFailed);
}

// Runs before all initialisers of the program and of its libraries, which may already use the new
// instructions.
__attribute__((section(".preinit_array"), used)) void (*const kRunsFirst)() = require_cpu;

}  // namespace
