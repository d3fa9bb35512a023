#include "data/vacuous_rationales/answer_words.h"

#include <algorithm>

#include "data/vacuous_rationales/english.h"
#include "data/vacuous_rationales/inversion.h"

namespace rubric {
namespace {

// "they are late", of which "because" is said, not "because of".
bool begins_clause(const Words& answer) {
  const std::string& first = answer[0].form;
  return answer.size() > 1 && is_personal(first.substr(0, first.find('\'')));
}

}  // namespace

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

}  // namespace rubric
