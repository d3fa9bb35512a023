#include "text/bare_answers.h"

#include <algorithm>
#include <cstdint>

#include <unicode/uchar.h>

#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

// Without characters of `first` at its beginning and of `last` at its end.
std::string_view without_ends(std::string_view text, std::string_view first,
                              std::string_view last) {
  text.remove_prefix(std::min(text.find_first_not_of(first), text.size()));
  return text.substr(0, text.find_last_not_of(last) + 1);
}

// A word without the punctuation around it, but a letter with its signs: "A+", "C++".
std::string_view bare_word(std::string_view word) {
  constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  std::string_view bare = without_ends(word, kPunctuation, kPunctuation);
  if (bare.size() == 1 && is_ascii_letter(bare[0])) {
    const std::string_view rest = word.substr(word.find(bare));
    const size_t end = rest.substr(1).find_first_not_of("+-#");
    bare = rest.substr(0, end == rest.npos ? end : end + 1);
  }
  if (bare.empty()) bare = without_ends(word, "\"'()[]{}", "\"'()[]{}.,;:?!");
  return bare.empty() ? word : bare;
}

// The bare words in small letters, but those that are `but` in letters of the other case.
std::string bare_words(std::string_view text, std::string_view but) {
  std::string words, word;
  const std::string lower_but = lower_case(but);
  const auto add_word = [&] {
    const std::string_view bare = bare_word(word);
    const std::string lower = lower_case(bare);
    if (!word.empty() && (lower != lower_but || bare == but)) {
      if (!words.empty()) words += ' ';
      words += lower;
    }
    word.clear();
  };
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    if (is_python_space(decode_utf8(text, i))) {
      add_word();
    } else {
      word.append(text, start, i - start);
    }
  }
  add_word();
  return words;
}

}  // namespace

std::string keep_articles(std::string_view text) {
  return bare_words(text, "");
}

std::string keep_articles(std::string_view candidate, std::string_view reference) {
  const bool has_other_words = !normalize_answer(candidate).empty();
  return bare_words(candidate, has_other_words ? bare_word(strip(reference)) : "");
}

bool has_text(std::string_view text) {
  constexpr uint32_t kInvisible = U_GC_Z_MASK | U_GC_CC_MASK | U_GC_CF_MASK;
  for (size_t i = 0; i < text.size();) {
    if ((U_MASK(u_charType(static_cast<UChar32>(decode_utf8(text, i)))) & kInvisible) == 0)
      return true;
  }
  return false;
}

}  // namespace rubric::text
