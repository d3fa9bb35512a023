#include <array>

#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "text/byte_bpe/byte_bpe.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

// Whether the byte is printable and not a space in Latin-1; it then represents itself.
constexpr bool is_listed_as_itself(uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
         (byte >= 0xAE && byte <= 0xFF);
}

constexpr std::array<char32_t, 256> kCharacters = [] {
  std::array<char32_t, 256> characters{};
  char32_t other = 0x100;
  for (uint32_t byte = 0; byte < 256; ++byte) {
    characters[byte] = is_listed_as_itself(byte) ? byte : other++;
  }
  return characters;
}();

constexpr char32_t kEndOfCharacters = 0x144;

// The byte of each character below kEndOfCharacters; -1: no byte.
constexpr std::array<int16_t, kEndOfCharacters> kBytes = [] {
  std::array<int16_t, kEndOfCharacters> bytes{};
  for (int16_t& byte : bytes) byte = -1;
  for (int16_t byte = 0; byte < 256; ++byte) bytes[kCharacters[static_cast<size_t>(byte)]] = byte;
  return bytes;
}();

enum class Kind : uint8_t { letter, number, space, other };

Kind kind_beyond_ascii(char32_t c) {
  if (is_letter(c)) return Kind::letter;
  if (is_number(c)) return Kind::number;
  return is_white_space(c) ? Kind::space : Kind::other;
}

const std::array<Kind, 128> kAsciiKinds = [] {
  std::array<Kind, 128> kinds{};
  for (char32_t c = 0; c < 128; ++c) kinds[c] = kind_beyond_ascii(c);
  return kinds;
}();

// The kind of the character at `position`, which moves behind it.
Kind next_kind(std::string_view text, size_t& position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte >= 0x80) return kind_beyond_ascii(decode_utf8(text, position));
  ++position;
  return kAsciiKinds[byte];
}

size_t end_of_run(std::string_view text, size_t position, Kind kind) {
  size_t end = position;
  while (position < text.size() && next_kind(text, position) == kind) end = position;
  return end;
}

// The length of the contraction at the start of `text`; 0 if there is none.
size_t contraction(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

// The end of the white space from `start` on, without its last character if text follows.
size_t end_of_white_space(std::string_view text, size_t start) {
  const size_t end = end_of_run(text, start, Kind::space);
  if (end == text.size()) return end;
  size_t last = end;
  decode_utf8_backwards(text, last);
  return last > start ? last : end;
}

size_t end_of_pre_token(std::string_view text, size_t start) {
  if (text[start] == '\'') {
    if (const size_t length = contraction(text.substr(start)); length > 0) return start + length;
  }
  size_t position = start;
  Kind kind = next_kind(text, position);
  if (text[start] == ' ' && position < text.size()) {  // one space joins the following text
    const Kind following = next_kind(text, position);
    if (following != Kind::space) kind = following;
  }
  if (kind == Kind::space) return end_of_white_space(text, start);
  return end_of_run(text, position, kind);
}

bool is_line_end(char c) {
  return c == '\r' || c == '\n';
}

// The length of the contraction at the start of `text`, whatever its case; 0 if there is none. To
// the long s, U+017F, the expression's "s" is another case of it.
size_t contraction_of_any_case(std::string_view text) {
  constexpr std::string_view kLongS = "'\u017F";
  if (text.starts_with(kLongS)) return kLongS.size();
  for (const size_t length : {size_t{2}, size_t{3}}) {
    const std::string lower = ascii_lower(text.substr(0, length));
    if (lower.size() == length && contraction(lower) == length) return length;
  }
  return 0;
}

size_t end_of_gpt4_pre_token(std::string_view text, size_t start, int most_digits) {
  if (text[start] == '\'') {
    const size_t length = contraction_of_any_case(text.substr(start));
    if (length > 0) return start + length;
  }
  size_t position = start;
  const Kind kind = next_kind(text, position);
  if (kind == Kind::letter) return end_of_run(text, position, Kind::letter);
  if (kind == Kind::number) {
    size_t end = position;
    for (int digits = 1; digits < most_digits && position < text.size(); ++digits) {
      if (next_kind(text, position) != Kind::number) break;
      end = position;
    }
    return end;
  }
  if (!is_line_end(text[start])) {
    const size_t end = end_of_run(text, position, Kind::letter);
    if (end > position) return end;  // one character joins the letters behind it
  }
  size_t marks = kind == Kind::other ? start : position;
  if (kind == Kind::other || text[start] == ' ') {
    const size_t end = end_of_run(text, marks, Kind::other);
    if (end > marks) {
      marks = end;
      while (marks < text.size() && is_line_end(text[marks])) ++marks;
      return marks;
    }
  }
  const size_t end = end_of_run(text, start, Kind::space);
  for (size_t last = end; last > start; --last) {
    if (is_line_end(text[last - 1])) return last;
  }
  return end_of_white_space(text, start);
}

// A number, or the text before the next one.
size_t end_of_digits_step(std::string_view text, size_t start) {
  size_t position = start;
  const bool is_number = next_kind(text, position) == Kind::number;
  for (size_t end = position; !is_number && end < text.size();) {
    if (next_kind(text, end) == Kind::number) break;
    position = end;
  }
  return position;
}

size_t end_by(const PreTokenStep& step, std::string_view text, size_t start) {
  switch (step.kind) {
    case PreTokenStep::Kind::gpt4:
      return end_of_gpt4_pre_token(text, start, step.most_digits);
    case PreTokenStep::Kind::digits:
      return end_of_digits_step(text, start);
    case PreTokenStep::Kind::gpt2:
      break;
  }
  return end_of_pre_token(text, start);
}

}  // namespace

std::string byte_token(uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

std::string byte_character(uint8_t byte) {
  std::string character;
  append_utf8(kCharacters[byte], character);
  return character;
}

std::optional<std::string> token_bytes(std::string_view token) {
  std::string bytes;
  for (size_t position = 0; position < token.size();) {
    const char32_t c = decode_utf8(token, position);
    if (c >= kEndOfCharacters || kBytes[c] < 0) return std::nullopt;
    bytes += static_cast<char>(kBytes[c]);
  }
  return bytes;
}

bool next_pre_token(std::string_view text, size_t& position, std::string_view& pre_token,
                    const PreTokenStep& step) {
  if (position >= text.size()) return false;
  const size_t end = end_by(step, text, position);
  pre_token = text.substr(position, end - position);
  position = end;
  return true;
}

}  // namespace rubric::text
