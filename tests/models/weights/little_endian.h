// Numbers as binary files hold them.
#pragma once

#include <cstdint>
#include <string>

namespace rubric::models {

inline std::string to_little_endian(uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
  return out;
}

}  // namespace rubric::models
