#include <unicode/uchar.h>

#include "core/text/utf8.h"
#include "data/vacuous_rationales/english.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

constexpr std::string_view kEndMarks = ".?!";
constexpr std::string_view kApostrophe = "\u2019";
constexpr std::string_view kMarks = ".,;:?!\"'()[]";  // around a word

Word make_word(std::string text) {
  std::string form = text::lower_case(text);
  for (size_t at = 0; (at = form.find(kApostrophe, at)) != std::string::npos;) {
    form.replace(at, kApostrophe.size(), "'");
  }
  const size_t first = form.find_first_not_of(kMarks);
  if (first == std::string::npos) return {std::move(text), ""};
  form = form.substr(first, form.find_last_not_of(kMarks) + 1 - first);
  return {std::move(text), std::move(form)};
}

// Splits "What's" into "What" and "is".
void append_word(std::string text, Words& words) {
  Word word = make_word(std::move(text));
  const std::string_view form = word.form;
  if (!form.ends_with("'s") || !is_wh_word(form.substr(0, form.size() - 2))) {
    words.push_back(std::move(word));
    return;
  }
  const size_t first = word.text.find_first_not_of(kMarks);  // removed from the form
  words.push_back(make_word(word.text.substr(0, first + form.size() - 2)));
  words.push_back(make_word("is"));
}

bool ends_sentence(const Word& word) {
  const size_t last = word.text.find_last_not_of("\"')");
  if (last == std::string::npos || kEndMarks.find(word.text[last]) == std::string_view::npos) {
    return false;
  }
  return word.text[last] != '.' ||
         (word.form.find('.') == std::string::npos &&
          !is_among(word.form, {"mr", "mrs", "ms", "dr", "st", "vs", "prof"}));
}

std::string with_first(std::string_view text, UChar32 (*change)(UChar32)) {
  if (text.empty()) return "";
  size_t rest = 0;
  const char32_t first = decode_utf8(text, rest);
  std::string changed;
  append_utf8(static_cast<char32_t>(change(static_cast<UChar32>(first))), changed);
  return changed.append(text.substr(rest));
}

}  // namespace

Words split_words(std::string_view text) {
  Words words;
  size_t start = 0;
  for (size_t next = 0; start < text.size(); start = next) {
    size_t end = start;
    for (next = start; next < text.size(); end = next) {
      if (text::is_white_space(decode_utf8(text, next))) break;
    }
    if (end > start) append_word(std::string(text.substr(start, end - start)), words);
  }
  return words;
}

Words slice(const Words& words, size_t begin, size_t end) {
  return {words.begin() + static_cast<std::ptrdiff_t>(begin),
          words.begin() + static_cast<std::ptrdiff_t>(end)};
}

Words slice(const Words& words, size_t begin) {
  return slice(words, begin, words.size());
}

Words join_words(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::string to_text(const Words& words) {
  std::string text;
  for (const Word& word : words) {
    if (word.text.empty()) continue;
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  return text;
}

std::vector<Words> split_sentences(const Words& words) {
  std::vector<Words> sentences;
  bool begins = true;
  for (const Word& word : words) {
    // A word without letters ("?" after a space) belongs to the previous sentence.
    if (begins && (!word.form.empty() || sentences.empty())) sentences.emplace_back();
    sentences.back().push_back(word);
    begins = ends_sentence(word);
  }
  return sentences;
}

bool ends_in_comma(const Word& word) {
  return !word.text.empty() &&
         std::string_view(",;:").find(word.text.back()) != std::string_view::npos;
}

Words without_end_mark(Words words) {
  while (!words.empty() && words.back().form.empty()) words.pop_back();
  if (words.empty()) return words;
  std::string& last = words.back().text;
  last.erase(last.find_last_not_of(".?!,;:\"") + 1);
  return words;
}

std::string capitalized(std::string_view text) {
  return with_first(text, u_toupper);
}

std::string uncapitalized(std::string_view text) {
  return with_first(text, u_tolower);
}

}  // namespace rubric::data
