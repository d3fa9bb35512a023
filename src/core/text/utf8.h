// Decodes, encodes, checks and repairs UTF-8 (RFC 3629). Untrusted text is checked before it is
// used.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rubric {

// Stands for each maximal invalid part of a text (as with Python's errors="replace").
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// Returns the character that starts at `position` < text.size() and moves `position` behind it.
char32_t decode_utf8(std::string_view text, size_t& position);
// Returns the character that ends before `position` > 0 and moves `position` to its start.
char32_t decode_utf8_backwards(std::string_view text, size_t& position);
void append_utf8(char32_t character, std::string& out);
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view characters);

bool is_valid_utf8(std::string_view text);
std::string repair_utf8(std::string_view text);  // replaces invalid parts by U+FFFD

// The first `most` characters of a text, with "…" where the text has more.
std::string first_characters(std::string_view text, size_t most);

// The position of the first character of `text` that is not valid UTF-8 or is an ASCII control
// character other than tab, line feed, carriage return and DEL; std::string_view::npos when there
// is none.
size_t find_invalid_text(std::string_view text);

}  // namespace rubric
