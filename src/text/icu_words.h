// Words as ICU cuts them: by Unicode's rules, and dictionaries for Thai, Chinese and their like.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rubric {

// Everything between two word boundaries that is not white space, punctuation included. Throws
// Error when ICU has no data for that.
std::vector<std::string> icu_words(std::string_view text, const std::string& language);

std::string icu_version();  // "72.1"

}  // namespace rubric
