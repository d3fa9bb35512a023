#pragma once

namespace rubric {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace rubric
