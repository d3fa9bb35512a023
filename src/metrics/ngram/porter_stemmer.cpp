#include "metrics/ngram/porter_stemmer.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace rubric::metrics {
namespace {

bool is_consonant(std::string_view word, size_t i) {
  if (word[i] == 'y') return i == 0 || !is_consonant(word, i - 1);
  return std::string_view("aeiou").find(word[i]) == std::string_view::npos;
}

bool contains_vowel(std::string_view stem) {
  for (size_t i = 0; i < stem.size(); ++i) {
    if (!is_consonant(stem, i)) return true;
  }
  return false;
}

// m, the number of times that vowels are followed by consonants.
int measure(std::string_view stem) {
  int changes = 0;
  for (size_t i = 1; i < stem.size(); ++i) {
    changes += is_consonant(stem, i) && !is_consonant(stem, i - 1) ? 1 : 0;
  }
  return changes;
}

bool ends_with_double_consonant(std::string_view word) {
  const size_t n = word.size();
  return n >= 2 && word[n - 1] == word[n - 2] && is_consonant(word, n - 1);
}

// *o: consonant, vowel, consonant other than w, x and y; NLTK also takes a vowel and a consonant.
bool ends_with_cvc(std::string_view word) {
  const size_t n = word.size();
  if (n == 2) return !is_consonant(word, 0) && is_consonant(word, 1);
  return n >= 3 && is_consonant(word, n - 3) && !is_consonant(word, n - 2) &&
         is_consonant(word, n - 1) && word[n - 1] != 'w' && word[n - 1] != 'x' &&
         word[n - 1] != 'y';
}

struct Rule {
  std::string_view suffix, replacement;
};

std::string_view stem_of(std::string_view word, std::string_view suffix) {
  return word.substr(0, word.size() - suffix.size());
}

// Applies the first rule whose suffix the word has, if its stem has more than `least` for m.
std::string replaced(std::string word, std::span<const Rule> rules, int least) {
  for (const auto& [suffix, replacement] : rules) {
    if (!word.ends_with(suffix)) continue;
    const std::string_view stem = stem_of(word, suffix);
    return measure(stem) > least ? std::string(stem) += replacement : word;
  }
  return word;
}

// Plurals.
std::string step_1a(const std::string& word) {
  if (word.size() == 4 && word.ends_with("ies")) return word.substr(0, 3);
  constexpr Rule kRules[] = {{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}};
  constexpr int kAny = -1;
  return replaced(word, kRules, kAny);
}

// Past tenses and participles.
std::string step_1b(const std::string& word) {
  if (word.ends_with("ied")) return word.substr(0, word.size() - (word.size() == 4 ? 1 : 2));
  if (word.ends_with("eed")) {
    return measure(stem_of(word, "eed")) > 0 ? word.substr(0, word.size() - 1) : word;
  }
  std::string stem;
  for (const std::string_view suffix : {"ed", "ing"}) {
    if (!word.ends_with(suffix) || !contains_vowel(stem_of(word, suffix))) continue;
    stem = stem_of(word, suffix);
    break;
  }
  if (stem.empty()) return word;
  for (const std::string_view suffix : {"at", "bl", "iz"}) {
    if (stem.ends_with(suffix)) return stem + "e";
  }
  if (ends_with_double_consonant(stem)) {
    const bool stays = stem.back() == 'l' || stem.back() == 's' || stem.back() == 'z';
    return stays ? stem : stem.substr(0, stem.size() - 1);
  }
  return measure(stem) == 1 && ends_with_cvc(stem) ? stem + "e" : stem;
}

std::string step_1c(std::string word) {
  const size_t n = word.size();
  if (n > 2 && word[n - 1] == 'y' && is_consonant(word, n - 2)) word.back() = 'i';
  return word;
}

std::string step_2(const std::string& word) {
  if (word.ends_with("alli") && measure(stem_of(word, "alli")) > 0) {
    return step_2(word.substr(0, word.size() - 2));
  }
  constexpr Rule kRules[] = {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},
                             {"anci", "ance"},   {"izer", "ize"},    {"bli", "ble"},
                             {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},
                             {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
                             {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"},
                             {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
                             {"iviti", "ive"},   {"biliti", "ble"},  {"fulli", "ful"}};
  for (const auto& [suffix, replacement] : kRules) {
    if (word.ends_with(suffix)) return replaced(word, kRules, 0);
  }
  // NLTK counts the l.
  if (word.ends_with("logi") && measure(word.substr(0, word.size() - 3)) > 0) {
    return word.substr(0, word.size() - 1);
  }
  return word;
}

std::string step_3(const std::string& word) {
  constexpr Rule kRules[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                             {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
  return replaced(word, kRules, 0);
}

std::string step_4(const std::string& word) {
  constexpr Rule kBefore[] = {{"al", ""},    {"ance", ""}, {"ence", ""}, {"er", ""},
                              {"ic", ""},    {"able", ""}, {"ible", ""}, {"ant", ""},
                              {"ement", ""}, {"ment", ""}, {"ent", ""}};
  constexpr Rule kBehind[] = {{"ou", ""},  {"ism", ""}, {"ate", ""}, {"iti", ""},
                              {"ous", ""}, {"ive", ""}, {"ize", ""}};
  for (const Rule& rule : kBefore) {
    if (word.ends_with(rule.suffix)) return replaced(word, kBefore, 1);
  }
  if (word.ends_with("ion")) {
    const std::string_view stem = stem_of(word, "ion");
    const bool fits = measure(stem) > 1 && (stem.back() == 's' || stem.back() == 't');
    return fits ? std::string(stem) : word;
  }
  return replaced(word, kBehind, 1);
}

std::string step_5(std::string word) {
  if (word.ends_with('e')) {
    const std::string_view stem = stem_of(word, "e");
    const int m = measure(stem);
    if (m > 1 || (m == 1 && !ends_with_cvc(stem))) word.pop_back();
  }
  if (word.ends_with("ll") && measure(stem_of(word, "l")) > 1) word.pop_back();
  return word;
}

constexpr Rule kIrregular[] = {
    {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"}};

}  // namespace

std::string porter_stem(std::string word) {
  for (const auto& [form, stem] : kIrregular) {
    if (word == form) return std::string(stem);
  }
  if (word.size() <= 2) return word;
  return step_5(step_4(step_3(step_2(step_1c(step_1b(step_1a(word)))))));
}

}  // namespace rubric::metrics
