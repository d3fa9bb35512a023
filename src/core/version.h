// Which rubric this is: the release, and the code that computes scores.
#pragma once

#include <string>

namespace rubric {

inline constexpr const char* kVersion = "0.1.0";

// Twelve hexadecimal digits of a SHA-256 over the source files under src/, without those of
// src/cli, which parses and prints, and without lines that are comments (cmake/BuildId.cmake).
// Two programs with the same id give the same scores; another id says that some code changed.
const char* build_id();

// "0.1.0+3f9a12c4b1d0", as signatures and records have it.
std::string version_with_build();

}  // namespace rubric
