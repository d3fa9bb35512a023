// UTF-8, and the character classes of BERT as Hugging Face's `tokenizers` 0.22 draws them: white
// space and lower case follow the current Unicode, the general categories Unicode 8, canonical
// decomposition Unicode 9. Whatever Unicode ICU has here, these functions answer for those
// versions.
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
bool is_valid_utf8(std::string_view text);
std::string repair_utf8(std::string_view text);  // invalid parts become U+FFFD

bool is_white_space(char32_t c);     // the property White_Space, Rust's char::is_whitespace
bool is_word_character(char32_t c);  // what \w matches (Unicode TR18)

// Removed by BERT's cleaning: NUL, U+FFFD, and the categories Cc, Cf, Co except tab and line ends.
bool is_removed_by_bert(char32_t c);
bool is_bert_punctuation(char32_t c);  // categories P*, and all of ASCII but letters and digits
bool is_cjk_ideograph(char32_t c);     // Chinese characters; neither kana nor Hangul
bool is_accent(char32_t c);            // category Mn, what stripping accents removes

// Appends the full canonical decomposition of `c` (itself when it has none), not yet reordered.
void append_decomposition(char32_t c, std::u32string& out);
int combining_class(char32_t c);  // 0 for what starts a new sequence of marks

// Appends the lower case of `c`, whatever stands around it (a final sigma is like any other).
void append_lower_case(char32_t c, std::string& out);

}  // namespace rubric
