// Which rubric this is: the release, and the code that computes scores.
#pragma once

#include <string>

#include "rubric/export.h"

namespace rubric {

inline constexpr const char* kVersion = "0.1.0";

// Returns twelve hexadecimal digits of a SHA-256 over the source files of src/ and include/rubric
// without comment lines, libtorch's version, the build type and -march (cmake/BuildId.cmake). All
// of src/ counts, also the commands: their defaults decide results. With another id a score may
// differ.
RUBRIC_PUBLIC const char* build_id();

// "0.1.0+3f9a12c4b1d0", as signatures and records have it.
RUBRIC_PUBLIC std::string version_with_build();

}  // namespace rubric
