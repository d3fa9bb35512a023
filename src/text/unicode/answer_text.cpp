#include "text/unicode/answer_text.h"

#include <unicode/uchar.h>

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

// What \w matches in Python (marks are not part of words), except the underscore, which was removed
// as punctuation.
bool is_python_word_character(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

void append_blank(std::string& text) {
  if (!text.empty() && text.back() != ' ') text += ' ';
}

// Ends the run of word characters that began at `start`; replaces an article by a space.
void finish_word(std::string& text, size_t start) {
  const std::string_view word = std::string_view(text).substr(start);
  if (word != "a" && word != "an" && word != "the") return;
  text.resize(start);
  append_blank(text);
}

}  // namespace

bool is_ascii_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

std::string normalize_answer(std::string_view text) {
  const std::string lower = lower_case(text);
  std::string normalized;
  normalized.reserve(lower.size());
  size_t word_start = 0;
  for (size_t i = 0; i < lower.size();) {
    const size_t start = i;
    const char32_t c = decode_utf8(lower, i);
    if (is_ascii_punctuation(c)) continue;  // removed before the articles, so that "t.he" is one
    const bool in_word = is_python_word_character(c);
    if (!in_word) finish_word(normalized, word_start);
    if (is_python_space(c)) {
      append_blank(normalized);
    } else {
      normalized.append(lower, start, i - start);
    }
    if (!in_word) word_start = normalized.size();
  }
  finish_word(normalized, word_start);
  if (normalized.ends_with(' ')) normalized.pop_back();
  return normalized;
}

}  // namespace rubric::text
