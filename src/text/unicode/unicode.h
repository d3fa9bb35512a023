// Unicode properties as Hugging Face's `tokenizers` 0.22 has them, whatever version ICU has here:
// for BERT white space and lower case of the current Unicode, general categories of Unicode 8 and
// canonical decomposition of Unicode 9; for GPT-2's regular expression and grapheme clusters
// Unicode 16. Below them, texts as Python and the scripts of SQuAD compare them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::text {

bool is_white_space(char32_t c);     // the property White_Space, Rust's char::is_whitespace
bool is_word_character(char32_t c);  // what \w matches (Unicode TR18)

// What \p{L} and \p{N} match in GPT-2's regular expression.
bool is_letter(char32_t c);
bool is_number(char32_t c);

// What \p{P} and \p{S} match in sacreBLEU's regular expressions, in ICU's version of Unicode.
bool is_punctuation(char32_t c);
bool is_symbol(char32_t c);

constexpr bool is_ascii_python_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}
// What Python's str.isspace() accepts: White_Space and the four ASCII separators.
inline bool is_python_space(char32_t c) {
  return c < 0x80 ? is_ascii_python_space(c) : is_white_space(c);
}

// Whether BERT's cleaning removes the character: NUL, U+FFFD, and the categories Cc, Cf, Co except
// tab and line ends.
bool is_removed_by_bert(char32_t c);
bool is_bert_punctuation(char32_t c);  // categories P*, and ASCII other than letters and digits
bool is_cjk_ideograph(char32_t c);     // Chinese characters; neither kana nor Hangul
bool is_accent(char32_t c);            // category Mn: removed by strip_accents

// Appends the full canonical decomposition of `c` (`c` itself when it has none), not yet reordered.
void append_decomposition(char32_t c, std::u32string& out);

bool is_mark(char32_t c);  // category M of Unicode 9: removed by StripAccents of `tokenizers`

// UTF-8 text in one of the normalisation forms of Unicode 9, as NFC, NFD, NFKC and NFKD of
// `tokenizers`. Characters that came later stay as they are.
enum class NormalForm { c, d, kc, kd };
std::string normal_form(std::string_view text, NormalForm form);

// UTF-8 text in Unicode's normalisation form D, as Python's unicodedata.normalize("NFD", text).
std::string to_nfd(std::string_view text);
int combining_class(char32_t c);  // 0 for a character that starts a new sequence of marks

// Appends the lower case of `c` regardless of context (a final sigma is like any other).
void append_lower_case(char32_t c, std::string& out);

// Lower case with Unicode's special cases, like Python's str.lower() and Java's
// String.toLowerCase().
std::string lower_case(std::string_view text);  // throws InputError for more than 2 GiB

// Removes white space at both ends, like Python's str.strip(), or at the end, like str.rstrip().
std::string_view strip(std::string_view text);
std::string_view strip_end(std::string_view text);

// The end of the extended grapheme cluster (Unicode Standard Annex 29: what a reader sees as one
// character) that starts at `position` < text.size(), in valid UTF-8. Rule GB9c (Indic conjuncts)
// is left out: the caller treats all clusters of six or more bytes alike.
size_t grapheme_end(std::string_view text, size_t position);

constexpr bool is_ascii_punctuation(char32_t c) {  // Python's string.punctuation
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

// Lower case, without ASCII punctuation and the articles a, an, the, words joined by one space
// (normalize_answer of evaluate-v1.1.py and evaluate-v2.0.py).
std::string normalize_answer(std::string_view text);
void normalize_answer(std::string_view text, std::string& normalized);  // reuses its memory

// The words as they are written, between Python's white space; views into the text.
std::vector<std::string_view> words_as_written(std::string_view text);

}  // namespace rubric::text
