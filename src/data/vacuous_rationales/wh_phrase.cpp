#include <algorithm>

#include "data/vacuous_rationales/english.h"

namespace rubric::data {

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
