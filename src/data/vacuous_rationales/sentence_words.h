// A text as words that can be taken out, moved and put together again.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

struct Word {
  std::string text;  // with the punctuation at it: "Then,"
  std::string form;  // lower case, without it: "then"
};

using Words = std::vector<Word>;

Words split_words(std::string_view text);  // at white space; "what's" is two words, "what is"
Words slice(const Words& words, size_t begin, size_t end);
Words slice(const Words& words, size_t begin);  // to the end
Words join_words(std::initializer_list<Words> parts);
std::string to_text(const Words& words);  // a blank between two words

// The sentences of a text, in order. "U.S.", "Dr." and the like end none.
std::vector<Words> split_sentences(const Words& words);

bool ends_in_comma(const Word& word);  // or a semicolon or colon

// The words without the marks (.?!… and quotes left open) and blanks after the last one's letters.
Words without_end_mark(Words words);

// With the first character in upper case; in lower case.
std::string capitalized(std::string_view text);
std::string uncapitalized(std::string_view text);

}  // namespace rubric
