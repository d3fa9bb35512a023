// Shared by the readers of binary weights files: little-endian numbers, copies from mapped files,
// and a bounds-checked reader of pickles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rubric::models {

// The advice in messages about a damaged file.
inline constexpr const char* kFetchAgain = "fetch or save the file again";

// Copies `part`, which must lie in a MappedFile, and releases the pages it has read, which would
// count as memory a second time.
void copy_from_file(std::string_view part, void* destination);

// Reads the bytes of a pickle one after another. Every function throws InputError, as fail() does,
// instead of reading past the end.
class PickleReader {
 public:
  PickleReader(std::string_view pickle, const std::string& where)
      : pickle_(pickle), where_(where) {}

  std::string_view take(uint64_t count);
  std::string_view take_line();          // without the line feed
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
