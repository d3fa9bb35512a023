#include "config/utf8.h"

namespace rubric {
namespace {

// The length in bytes of the UTF-8 character that `text` begins with, 0 when it begins with none.
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned char first = byte(0);
  const unsigned char second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !continues(1)) return 0;
  if (first < 0xE0) return 2;
  if (!continues(2)) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90;
  const bool beyond = first == 0xF4 && second > 0x8F;
  return overlong || beyond || !continues(3) ? 0 : 4;
}

bool is_forbidden_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

}  // namespace

size_t find_invalid_text(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_length(text.substr(i));
    if (length == 0 || is_forbidden_control(text[i])) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace rubric
