// The bytes of a pickle, taken one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rubric {

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

}  // namespace rubric
