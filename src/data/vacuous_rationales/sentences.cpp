#include <algorithm>

#include <unicode/uchar.h>

#include "core/text/ascii.h"
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
  replace_all(form, kApostrophe, "'");
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

namespace {

// The auxiliary of the wh-word, after the noun: "what kind of dog | is"; the sentence's size if
// there is none.
size_t find_auxiliary(const Words& sentence, size_t wh) {
  const std::string& form = sentence[wh].form;
  const bool takes_noun =
      is_what(form) || is_among(form, {"which", "whose", "how"}) ||
      (form == "where" && wh + 1 < sentence.size() && is_preposition(sentence[wh + 1].form));
  for (size_t i = wh + 1; i < sentence.size(); ++i) {
    const std::string& word = sentence[i].form;
    if (is_auxiliary(word)) return i;
    const bool is_noun = takes_noun && !is_relative(word) && !is_wh_word(word) &&
                         !is_subordinator(word) && !ends_in_comma(sentence[i]) &&
                         (i == wh + 1 || !is_only_verb(word));
    if (!is_noun) break;
  }
  return sentence.size();
}

// Whether the answer is a clause ("they are late"), which takes "because", not "because of".
bool begins_clause(const Words& answer) {
  const std::string& first = answer[0].form;
  return answer.size() > 1 && is_personal(first.substr(0, first.find('\'')));
}

}  // namespace

bool begins_part(const Words& sentence, size_t at) {
  if (at == 0 || ends_in_comma(sentence[at - 1])) return true;
  const std::string& before = sentence[at - 1].form;
  return is_among(before, {"and", "so", "but", "then"});
}

std::optional<WhPhrase> find_phrase(const Words& sentence) {
  std::optional<WhPhrase> found;
  bool is_found_at_start = false;
  for (size_t wh = 0; wh < sentence.size(); ++wh) {
    const std::string& form = sentence[wh].form;
    if (!is_wh_word(form)) continue;
    const size_t auxiliary = find_auxiliary(sentence, wh);
    if (auxiliary == sentence.size()) continue;
    const bool has_preposition = wh > 0 && is_preposition(sentence[wh - 1].form) &&
                                 begins_part(sentence, wh - 1) && !ends_in_comma(sentence[wh - 1]);
    const bool is_at_start = has_preposition || begins_part(sentence, wh);
    const bool may_be_within =
        auxiliary == wh + 1 && (is_what(form) || is_among(form, {"where", "why", "how"}));
    if (wh > 0 && is_determiner(sentence[wh - 1].form)) continue;  // "the what"
    if (found && is_relative(form)) continue;                      // "a place and which could be"
    if (!is_at_start && (!may_be_within || is_found_at_start)) continue;
    found = WhPhrase{has_preposition ? wh - 1 : wh, wh, auxiliary};
    is_found_at_start = is_at_start;
  }
  return found;
}

bool is_what(const std::string& wh) {
  return wh == "what" || wh == "whats";
}

size_t end_of_noun(const Words& sentence, size_t wh) {
  size_t end = wh + 1;
  const auto ends_at = [&](size_t i) {
    const std::string& word = sentence[i].form;
    const bool is_kind_of = word == "of" && (sentence[i - 1].form.starts_with("kind") ||
                                             sentence[i - 1].form.starts_with("sort") ||
                                             sentence[i - 1].form.starts_with("type"));
    return ends_in_comma(sentence[i - 1]) || (!is_kind_of && is_preposition(word)) ||
           is_determiner(word) || is_pronoun(word) || is_wh_word(word) || is_relative(word) ||
           is_subordinator(word) || is_auxiliary(word) || is_adverb(word) ||
           (i == wh + 1 && is_only_verb(word)) || is_third_person(word) ||
           is_among(word, {"to", "and", "or", "him", "them", "me", "us"});
  };
  while (end < sentence.size() && !ends_at(end)) ++end;
  return end;
}

size_t find_inside(const Words& sentence) {
  for (size_t i = sentence.size(); i-- > 0;) {
    if (is_what(sentence[i].form)) return i;
  }
  for (size_t i = sentence.size(); i-- > 1;) {
    if (sentence[i].form == "where") return i;
  }
  return sentence.size();
}

Words place_words(const Words& answer, const Words& before, const std::string& verb) {
  const bool has_preposition =
      is_preposition(answer[0].form) || (!before.empty() && is_preposition(before.back().form));
  if (has_preposition || (!before.empty() && before.back().form == "to")) return answer;
  return join_words({split_words(is_motion(verb) ? "to" : "in"), answer});
}

Words manner_words(const std::string& wh, const Words& answer, const std::string& verb) {
  const std::string& first = answer[0].form;
  if (is_preposition(first) || first == "because" || first == "to") return answer;
  if (wh == "why") {
    if (is_only_verb(first)) return join_words({split_words("to"), answer});
    return join_words({split_words(begins_clause(answer) ? "because" : "because of"), answer});
  }
  const bool is_state = is_among(verb, {"be", "feel", "feeling", "look"});
  if (wh != "how" || is_state || is_adverb(first)) return answer;
  return join_words({split_words("by"), answer});
}

Words counted_noun(const Words& phrase, const Words& answer) {
  if (phrase.size() < 2 || !is_among(phrase[0].form, {"many", "much"})) return {};
  const bool is_named = std::ranges::any_of(
      answer, [&](const Word& word) { return word.form == phrase.back().form; });
  return is_named ? Words{} : slice(phrase, 1);
}

bool is_replaced(const Word& word, const Word& answer) {
  return (word.form == "do" && is_verb(answer.form)) ||
         (word.form == "doing" && is_gerund(answer.form)) ||
         (word.form == "done" && is_participle(answer.form));
}

}  // namespace rubric::data
