#include "text/numbers.h"

#include <cstdint>
#include <optional>

#include "core/text/ascii.h"
#include "core/text/number_words.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

bool has_no_one(std::string_view text) {
  const std::string lower = ascii_lower(text);
  const auto is_letter = [&](size_t place) {
    return place < lower.size() && (is_ascii_letter(lower[place]) || lower[place] < 0);
  };
  for (size_t no = lower.find("no"); no != std::string::npos; no = lower.find("no", no + 1)) {
    const size_t one = lower.find_first_not_of(" \t\n", no + 2);
    if (one == std::string::npos || one == no + 2 || lower.compare(one, 3, "one") != 0) continue;
    if (!(no > 0 && is_letter(no - 1)) && !is_letter(one + 3)) return true;
  }
  return false;
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
