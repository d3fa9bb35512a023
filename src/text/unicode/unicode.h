// The character classes of BERT as Hugging Face's `tokenizers` 0.22 draws them: white space and
// lower case follow the current Unicode, the general categories Unicode 8, canonical decomposition
// Unicode 9; and those of GPT-2's regular expression, which follow Unicode 16. Whatever Unicode ICU
// has here, these functions answer for those versions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rubric::text {

bool is_white_space(char32_t c);     // the property White_Space, Rust's char::is_whitespace
bool is_word_character(char32_t c);  // what \w matches (Unicode TR18)

// What \p{L} and \p{N} match in GPT-2's regular expression.
bool is_letter(char32_t c);
bool is_number(char32_t c);

// What Python's str.isspace() accepts: White_Space and the four ASCII separators.
inline bool is_python_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
  return is_white_space(c);
}

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

// Lower case as Unicode has it, with its special cases: what Python's str.lower() and Java's
// String.toLowerCase() give.

std::string lower_case(std::string_view text);  // throws InputError for more than 2 GiB

// A text without the white space around it, as Python's str.strip() gives it.

std::string_view strip(std::string_view text);

// Extended grapheme clusters (Unicode Standard Annex 29): what a reader takes for one character,
// as `tokenizers` 0.22 sees them: by Unicode 16, whatever ICU has here.

// Where the cluster that starts at `position` < text.size() ends, in valid UTF-8. Rule GB9c (Indic
// conjuncts) is left out: who calls this treats clusters from six bytes on alike.
size_t grapheme_end(std::string_view text, size_t position);

}  // namespace rubric::text
