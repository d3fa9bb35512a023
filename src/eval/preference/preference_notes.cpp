#include "eval/preference/preference_notes.h"

#include <cstdint>
#include <utility>

namespace rubric {
namespace {

// "text: count", where there are some.
void add_count(const std::string& text, int64_t count, std::vector<std::string>& notes) {
  if (count > 0) notes.push_back(text + ": " + std::to_string(count));
}

}  // namespace

std::vector<std::string> case_notes(const PreferenceEvaluation& evaluation) {
  const bool in_both_orders = evaluation.position.has_value();
  const bool by_question = evaluation.questions < evaluation.pairs;
  std::vector<std::string> notes = {
      std::string("A, B: on how many pairs the judge prefers answer_a or answer_b") +
          (in_both_orders ? ", in both orders; Tie: neither, or not the same one in both"
                          : "; Tie: neither"),
      "95% intervals of " + std::to_string(evaluation.bootstrap.resamples) +
          " bootstrap resamples" +
          (by_question ? " of the questions, all pairs of one together" : " of the pairs")};
  int64_t invalid = 0, incomplete = 0;
  for (const PreferenceCase& one : evaluation.cases) {
    invalid += one.invalid;
    incomplete += one.incomplete;
  }
  add_count("Pairs with a reply that holds no preference (invalid), left out", invalid, notes);
  add_count("Pairs that the ledger has in one order alone (incomplete), left out", incomplete,
            notes);
  if (!in_both_orders) {
    notes.emplace_back(
        "Every pair is asked in one order: whether the order matters cannot be told");
  }
  return notes;
}

std::vector<std::string> position_notes() {
  return {
      "first, second: how often the judge prefers the answer shown first or second, of two replies "
      "a pair; a judge without bias has a difference of 0",
      "twice: pairs in which it prefers the answer shown first (or second) in both orders; tie "
      "once: in one order alone"};
}

std::vector<std::string> preference_notes(const PreferenceEvaluation& evaluation) {
  std::vector<std::string> notes = case_notes(evaluation);
  if (!evaluation.position) return notes;
  for (std::string& note : position_notes()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace rubric
