// UTF-8 (RFC 3629), which hostile text is checked to be before it is used.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rubric {

// What each maximal invalid part of a text is read as (as Python's errors="replace" does).
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// The character that starts at `position` < text.size(); moves `position` behind it.
char32_t decode_utf8(std::string_view text, size_t& position);
// The character that ends before `position` > 0; moves `position` to its start.
char32_t decode_utf8_backwards(std::string_view text, size_t& position);
void append_utf8(char32_t character, std::string& out);
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view characters);

bool is_valid_utf8(std::string_view text);
std::string repair_utf8(std::string_view text);  // invalid parts become U+FFFD

// Where `text` stops being plain text: the first character that is not valid UTF-8 or is an ASCII
// control character other than tab, line feed, carriage return and DEL. std::string_view::npos when
// there is none.
size_t find_invalid_text(std::string_view text);

}  // namespace rubric
