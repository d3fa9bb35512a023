#include "text/numbers.h"

#include <cstdint>
#include <optional>

#include "core/text/ascii.h"
#include "core/text/number_words.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

bool has_no_one(std::string_view text) {
  const std::string lower = ascii_lower(text);
  std::string before, gap, word;  // two words, and what stands between them, as ' ', '-' or '?'
  const auto is_no_one = [&] {
    if (before != "no" || word != "one") return false;
    return gap == "-" || gap.find_first_not_of(' ') == std::string::npos;
  };
  for (size_t i = 0; i < lower.size();) {
    const size_t start = i;
    const char32_t c = decode_utf8(lower, i);
    if (!is_python_space(c) && !is_ascii_punctuation(c)) {
      word.append(lower, start, i - start);
      continue;
    }
    if (is_no_one()) return true;
    if (!word.empty()) {
      before.swap(word);
      word.clear();
      gap.clear();
    }
    gap += is_python_space(c) ? ' ' : c == '-' ? '-' : '?';
  }
  return is_no_one();
}

std::string with_digits(const std::string& word, std::string_view before, bool keeps_no_one) {
  const std::optional<int64_t> number = parse_number_word(word);
  const bool is_no_one = keeps_no_one && word == "one" && before == "no";
  return number && !is_no_one ? std::to_string(*number) : word;
}

std::string normalize_numbers(std::string_view text) {
  const bool keeps_no_one = has_no_one(text);
  std::string result, word, before;
  for (const char c : normalize_answer(text) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      if (!result.empty()) result += ' ';
      result += with_digits(word, before, keeps_no_one);
      before.swap(word);
      word.clear();
    }
  }
  return result;
}

}  // namespace rubric::text
