// Zero to twelve in English words.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rubric {

std::optional<int64_t> parse_number_word(std::string_view word);  // in small letters: "seven"
std::optional<std::string_view> number_word(int64_t number);      // nullopt for others

}  // namespace rubric
