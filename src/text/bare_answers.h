// Answers of which SQuAD's normalisation (normalize_answer) leaves nothing.
#pragma once

#include <string>
#include <string_view>

namespace rubric::text {

// The text in small letters, its words joined by one space, articles among them and without the
// punctuation around each; a word of punctuation alone loses quotes, brackets and the marks of a
// sentence's end, as far as something is left: "=" for "(=)." and "a" for "(A)".
std::string keep_articles(std::string_view text);

// The same of a candidate beside a reference of articles alone. The "a" of "B, since a dog barks"
// is an article and no choice "A": of a candidate that has other words, too, those are left out
// that are the reference in letters of the other case.
std::string keep_articles(std::string_view candidate, std::string_view reference);

// Whether it has a character that is neither white space nor a control or format character.
bool has_text(std::string_view text);

}  // namespace rubric::text
