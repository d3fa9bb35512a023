// What the readers of binary weights files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rubric {

// What a message about a damaged file advises.
inline constexpr const char* kFetchAgain = "fetch or save the file again";

// The unsigned number that up to eight bytes hold, the lowest first.
inline uint64_t little_endian(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return number;
}

// Copies a part of a mapped file (MappedFile's bytes, and no other memory). What was read does not
// stay in memory beside its copy, where it would count for as much again.
void copy_from_file(std::string_view part, void* destination);

}  // namespace rubric
