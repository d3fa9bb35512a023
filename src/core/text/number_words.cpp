#include "core/text/number_words.h"

#include <algorithm>
#include <array>

namespace rubric {

namespace {

constexpr std::array<std::string_view, 13> kNumberWords = {
    "zero",  "one",   "two",  "three", "four",   "five",  "six",
    "seven", "eight", "nine", "ten",   "eleven", "twelve"};

}  // namespace

std::optional<int64_t> parse_number_word(std::string_view word) {
  const auto found = std::ranges::find(kNumberWords, word);
  if (found == kNumberWords.end()) return std::nullopt;
  return found - kNumberWords.begin();
}

std::optional<std::string_view> number_word(int64_t number) {
  if (number < 0 || number >= std::ssize(kNumberWords)) return std::nullopt;
  return kNumberWords[static_cast<size_t>(number)];
}

}  // namespace rubric
