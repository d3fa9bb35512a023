// English words of numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rubric {

inline constexpr std::array<std::string_view, 7> kTeens = {
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
inline constexpr std::array<std::string_view, 8> kTens = {"twenty", "thirty",  "forty",  "fifty",
                                                          "sixty",  "seventy", "eighty", "ninety"};
inline constexpr std::array<std::string_view, 19> kOrdinals = {
    "first",     "second",    "third",       "fourth",     "fifth",     "sixth",      "seventh",
    "eighth",    "ninth",     "tenth",       "eleventh",   "twelfth",   "thirteenth", "fourteenth",
    "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"};

// Zero to twelve.
std::optional<int64_t> parse_number_word(std::string_view word);  // in small letters: "seven"
std::optional<std::string_view> number_word(int64_t number);      // nullopt for others

}  // namespace rubric
