// Months, and days of a month, as English writes them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace rubric {

inline constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

// "4", "04" and "4th": 4; nullopt for other words, and for numbers that are not 1 to 31.
std::optional<int> parse_day(std::string_view word);

}  // namespace rubric
