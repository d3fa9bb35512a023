// Answers of which SQuAD's normalisation (normalize_answer) leaves nothing.
#pragma once

#include <string>
#include <string_view>

namespace rubric::text {

// The text in small letters, its words joined by one space, articles among them and without the
// punctuation around each; a word of punctuation alone loses quotes, brackets and the marks of a
// sentence's end, as far as something is left: "=" for "(=)." and "a" for "(A)".
std::string keep_articles(std::string_view text);

// Whether it has a character that is neither white space nor a control or format character.
bool has_text(std::string_view text);

}  // namespace rubric::text
