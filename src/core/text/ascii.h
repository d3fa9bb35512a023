// Small questions about text that every part asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rubric {

// A finite number in decimal digits that is the whole text; nothing for any other text.
std::optional<double> parse_number(std::string_view text);

// A whole number from 0 in decimal digits that is the whole text.
std::optional<int64_t> parse_count(std::string_view text);

// As parse_number, of a table's cell: there may be blanks around it, and a plus before it.
std::optional<double> parse_cell(std::string_view text);

// Without the blanks and tabs around it.
std::string_view trim(std::string_view text);

// With a to z for A to Z; every other character stays.
std::string ascii_lower(std::string_view text);

}  // namespace rubric
