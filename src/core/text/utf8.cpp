#include "core/text/utf8.h"

#include <cstdint>

#include <unicode/utf8.h>

namespace rubric {
namespace {

const uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

bool is_forbidden_control(UChar32 c) {
  return c < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

// The position of the first character that `is_wrong`; invalid UTF-8 is a negative character.
template <class Predicate>
size_t find_character(std::string_view text, Predicate is_wrong) {
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    UChar32 c = 0;
    U8_NEXT(bytes_of(text), position, text.size(), c);
    if (is_wrong(c)) return start;
  }
  return std::string_view::npos;
}

}  // namespace

char32_t decode_utf8(std::string_view text, size_t& position) {
  UChar32 c = 0;
  U8_NEXT_OR_FFFD(bytes_of(text), position, text.size(), c);
  return static_cast<char32_t>(c);
}

char32_t decode_utf8_backwards(std::string_view text, size_t& position) {
  // ICU's function behind U8_PREV takes 32-bit offsets; no character is longer than four bytes.
  const size_t first = position < 4 ? 0 : position - 4;
  const uint8_t* const bytes = bytes_of(text) + first;
  int32_t offset = static_cast<int32_t>(position - first);
  UChar32 c = 0;
  U8_PREV_OR_FFFD(bytes, 0, offset, c);
  position = first + static_cast<size_t>(offset);
  return static_cast<char32_t>(c);
}

void append_utf8(char32_t character, std::string& out) {
  uint8_t bytes[U8_MAX_LENGTH];
  size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, character);
  out.append(reinterpret_cast<const char*>(bytes), length);
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  for (size_t position = 0; position < text.size();) characters += decode_utf8(text, position);
  return characters;
}

std::string encode_utf8(std::u32string_view characters) {
  std::string text;
  text.reserve(characters.size());
  for (const char32_t character : characters) append_utf8(character, text);
  return text;
}

bool is_valid_utf8(std::string_view text) {
  return find_character(text, [](UChar32 c) { return c < 0; }) == std::string_view::npos;
}

std::string repair_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (size_t position = 0; position < text.size();) {
    append_utf8(decode_utf8(text, position), repaired);
  }
  return repaired;
}

std::string first_characters(std::string_view text, size_t most) {
  size_t position = 0;
  for (size_t count = 0; count < most && position < text.size(); ++count) {
    decode_utf8(text, position);
  }
  return std::string(text.substr(0, position)) + (position < text.size() ? "…" : "");
}

size_t find_invalid_text(std::string_view text) {
  return find_character(text, is_forbidden_control);  // true for negative characters too
}

}  // namespace rubric
