// Answers as SQuAD's scripts compare them.
#pragma once

#include <string>
#include <string_view>

namespace rubric::text {

bool is_ascii_punctuation(char32_t c);  // Python's string.punctuation

// Lower case, without ASCII punctuation and the articles a, an, the, words joined by one space
// (normalize_answer of evaluate-v1.1.py and evaluate-v2.0.py).
std::string normalize_answer(std::string_view text);

}  // namespace rubric::text
