// Small questions about text that every part asks.
#pragma once

#include <optional>
#include <string_view>

namespace rubric {

// A finite number in decimal digits that is the whole text; nothing for any other text.
std::optional<double> parse_number(std::string_view text);

// Without the blanks and tabs around it.
std::string_view trim(std::string_view text);

}  // namespace rubric
