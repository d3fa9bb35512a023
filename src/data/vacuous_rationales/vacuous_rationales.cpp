#include "data/vacuous_rationales/vacuous_inference.h"

#include <algorithm>

#include "core/error.h"
#include "data/vacuous_rationales/sentence_words.h"

namespace rubric {
namespace {

std::string relation_of(std::string_view label, const std::string& where) {
  if (label == "entailment") return " implies ";
  if (label == "contradiction") return " contradicts ";
  if (label == "neutral") return " is not related to ";
  throw InputError("the label \"" + std::string(label) + "\" is none of an inference", where,
                   "write entailment, neutral or contradiction");
}

Words statement_words(std::string_view text, const char* field, const std::string& where) {
  Words words = without_end_mark(split_words(text));
  if (words.empty()) throw InputError("the " + std::string(field) + " has no word", where);
  return words;
}

// Whether the word stands in this form behind the first place of a text.
bool is_inside(const Word& word, const Words& words) {
  return std::any_of(words.begin() + 1, words.end(), [&](const Word& other) {
    return other.form == word.form && other.text.starts_with(word.text[0]);
  });
}

bool keeps_capital(const Word& word, const Words& premise, const Words& hypothesis) {
  if (word.form == "i" || word.form.starts_with("i'")) return true;
  if (std::any_of(word.text.begin() + 1, word.text.end(),
                  [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return true;
  }
  return is_inside(word, premise) || is_inside(word, hypothesis);
}

}  // namespace

std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where) {
  const std::string relation = relation_of(label, where);
  const Words before = statement_words(premise, "premise", where);
  const Words after = statement_words(hypothesis, "hypothesis", where);
  const std::string text = to_text(after);
  return to_text(before) + relation +
         (keeps_capital(after[0], before, after) ? text : uncapitalized(text)) + ".";
}

}  // namespace rubric
