// libtorch's errors, which carry a C++ backtrace, as errors of rubric.
#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "core/error.h"

namespace rubric::models {

// Calls `work` and returns what it does. Throws Error for an error of libtorch, with
// `memory_advice` when memory was short.
template <class Work>
auto with_plain_errors(const char* memory_advice, const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    const std::string what = error.what_without_backtrace();
    const bool memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||  // a GPU's
                        what.find("not enough memory") != std::string::npos;
    throw Error(what, "libtorch", memory ? memory_advice : "");
  }
}

inline constexpr const char kTrainMemory[] = "lower batches.max_tokens or threads";
inline constexpr const char kMemory[] =
    "use a smaller model, shorter texts, fewer threads, or a machine with more memory";

}  // namespace rubric::models
