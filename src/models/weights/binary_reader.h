// What the readers of binary weights files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rubric::models {

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

// The bytes of a pickle, taken one after another.

// Every function throws InputError, as fail() does, rather than read past the end.
class PickleReader {
 public:
  PickleReader(std::string_view pickle, const std::string& where)
      : pickle_(pickle), where_(where) {}

  std::string_view take(uint64_t count);
  std::string_view take_line();          // without its line feed
  uint64_t take_unsigned(size_t bytes);  // little-endian, up to 8 bytes
  int64_t take_signed(uint64_t bytes);   // little-endian, two's complement; 0 from no byte

  size_t position() const { return position_; }

  // Throws InputError with `where` and the position in the pickle.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view pickle_;
  size_t position_ = 0;
  const std::string& where_;
};

}  // namespace rubric::models
