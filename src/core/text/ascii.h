// Parsing of numbers, trimming, replacing, and the letters of ASCII text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rubric {

// The finite decimal number that is the whole text; nullopt for any other text.
std::optional<double> parse_number(std::string_view text);

// The non-negative integer in decimal digits that is the whole text; nullopt for any other text.
std::optional<int64_t> parse_count(std::string_view text);

// As parse_number, for the cell of a table: allows spaces around the number and a plus sign.
std::optional<double> parse_cell(std::string_view text);

inline bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Replaces every `what`, which is not empty, by `by`.
void replace_all(std::string& text, std::string_view what, std::string_view by);

// Removes spaces and tabs at both ends.
std::string_view trim(std::string_view text);

// Replaces A to Z by a to z; keeps every other character.
std::string ascii_lower(std::string_view text);

// Replaces a to z by A to Z; keeps every other character.
std::string ascii_upper(std::string_view text);

}  // namespace rubric
