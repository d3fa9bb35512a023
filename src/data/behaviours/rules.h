// The rules that make minimal pairs, one for each behaviour.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/behaviours/behaviours.h"

namespace rubric::data {

using WordSet = std::set<std::string>;
WordSet normalised_words(std::string_view text);  // of normalize_numbers(), each once

struct BehaviourQuestion {
  std::string question;                  // without a question mark at its end
  std::vector<std::string> references;   // of all its answers, each once
  std::vector<WordSet> reference_words;  // of each reference
  // Answers to other questions, of the same kind as the first reference and without a word in
  // common with question, references and each other; nothing where there is none.
  std::optional<std::string> incorrect, other;
  std::vector<std::string> judged_correct, judged_incorrect;  // short candidates that people judged
  Wordings wordings = Wordings::testing;
  uint64_t key = 0;  // of all that is drawn

  const std::string& correct() const { return references.front(); }
};

// A number in [0, bound), another for each `stream`.
uint64_t drawn(const BehaviourQuestion& question, uint64_t stream, uint64_t bound);

// Whether one of the references has all words of the answer, or the answer all words of one.
bool is_accepted(std::span<const WordSet> references, std::string_view answer);

// The rules about days (day_rules.cpp).
std::optional<CandidatePair> date_pair(const BehaviourQuestion& question);
std::optional<CandidatePair> year_pair(const BehaviourQuestion& question);

// The rule about forms of numbers (number_rules.cpp).
std::optional<CandidatePair> number_form_pair(const BehaviourQuestion& question);

}  // namespace rubric::data
