// Texts with the numbers zero to twelve in digits, so that "seven" and "7" are one word.
#pragma once

#include <string>
#include <string_view>

namespace rubric::text {

// Whether "no" and "one" stand beside each other in the text with blanks alone, or one hyphen,
// between them; in "No, one." they are two answers.
bool has_no_one(std::string_view text);

// "7" for "seven" and the word itself for others. `word` and the one `before` it are in small
// letters; the one of "no one" stays where `keeps_no_one`.
std::string with_digits(const std::string& word, std::string_view before, bool keeps_no_one);

// normalize_answer() with_digits(); "no one" stays where the text has_no_one().
std::string normalize_numbers(std::string_view text);

}  // namespace rubric::text
