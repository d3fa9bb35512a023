#include <algorithm>

#include "data/vacuous_rationales/english.h"

namespace rubric::data {
namespace {

bool begins_noun_phrase(std::string_view word) {
  return is_determiner(word) || is_pronoun(word);
}

// Whether the clause at `at` is the object of the verb before it: "know | if", "find out | where".
bool is_asked_about(const Words& words, size_t at) {
  const std::string& word = words[at].form;
  const std::string& before = words[at - 1].form;
  return is_among(word, {"if", "where", "whether"}) &&
         is_among(before, {"know", "see", "decide", "out"});
}

// The latest end of the main clause: before "if" or "when", or after a comma.
size_t clause_end(const Words& words, size_t start) {
  for (size_t i = start; i < words.size(); ++i) {
    if (i > start && is_subordinator(words[i].form) && !is_asked_about(words, i)) return i;
    if (ends_in_comma(words[i])) return i + 1;
  }
  return words.size();
}

bool can_be_before_verb(std::string_view word) {
  return !is_preposition(word) && word != "to" && word != "and" && word != "or" &&
         (!is_determiner(word) || is_pronoun(word)) && !is_wh_word(word) && !is_auxiliary(word);
}

size_t past_adverbs(const Words& words, size_t at) {
  while (at < words.size() && is_adverb(words[at].form)) ++at;
  return at;
}

// Whether a word that may be a noun or a verb is a noun, because a surer verb follows it without an
// object between.
bool is_outdone(const Words& rest, size_t at, size_t surer) {
  if (is_only_verb(rest[at].form) || surer == rest.size() || at + 1 >= rest.size()) return false;
  const std::string& next = rest[at + 1].form;
  return !begins_noun_phrase(next) && !is_preposition(next) && next != "to";
}

// The main verb in its plain form after a subject; rest.size() if there is none.
size_t find_plain_verb(const Words& rest) {
  std::vector<size_t> found;
  bool is_in_relative_clause = false;
  for (size_t i = 1; i < rest.size(); ++i) {
    const std::string& word = rest[i].form;
    if (is_subordinator(word) && !found.empty()) break;
    if (is_relative(word) && !is_verb(rest[i - 1].form)) {
      is_in_relative_clause = true;
    } else if (is_in_relative_clause && !is_adverb(word) && !is_pronoun(word)) {
      is_in_relative_clause = false;  // this was its verb
    } else if (is_verb(word) && can_be_before_verb(rest[i - 1].form)) {
      found.push_back(i);
    }
  }
  for (size_t i = 0; i < found.size(); ++i) {
    const auto surer = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(i) + 1, found.end(),
                                    [&](size_t at) { return is_only_verb(rest[at].form); });
    if (!is_outdone(rest, found[i], surer == found.end() ? rest.size() : *surer)) return found[i];
  }
  return rest.size();
}

bool is_function_word(std::string_view word) {
  return begins_noun_phrase(word) || is_preposition(word) || is_adverb(word) || is_wh_word(word) ||
         is_relative(word) || is_subordinator(word) || is_auxiliary(word) || word == "to" ||
         word == "and" || word == "or";
}

// Guesses an unknown verb: the first word after a noun and before the start of another phrase
// ("Where do bears | hibernate in winter").
size_t guess_plain_verb(const Words& rest) {
  for (size_t i = 1; i < rest.size(); ++i) {
    if (is_function_word(rest[i].form) || !can_be_before_verb(rest[i - 1].form)) continue;
    if (i + 1 == rest.size() || is_function_word(rest[i + 1].form)) return i;
  }
  return rest.size();
}

size_t find_verb(const Words& rest) {
  if (rest.empty()) return 0;
  if (is_personal(rest[0].form)) {
    const size_t verb = past_adverbs(rest, 1);
    if (verb < rest.size() && !is_preposition(rest[verb].form)) return verb;
  }
  const size_t verb = find_plain_verb(rest);
  return verb < rest.size() ? verb : guess_plain_verb(rest);
}

std::optional<Clause> undo_plain(const Word& auxiliary, const Words& rest) {
  const size_t verb = find_verb(rest);
  if (verb == 0 || verb >= rest.size()) return std::nullopt;
  size_t adverbs = verb;
  while (adverbs > 1 && is_adverb(rest[adverbs - 1].form)) --adverbs;
  const auto begin = rest.begin();
  Clause clause{{begin, begin + static_cast<std::ptrdiff_t>(adverbs)},
                {begin + static_cast<std::ptrdiff_t>(adverbs), rest.end()},
                verb - adverbs,
                rest[verb].form};
  const bool is_negated = std::any_of(
      clause.predicate.begin(), clause.predicate.begin() + static_cast<std::ptrdiff_t>(clause.verb),
      [](const Word& word) { return word.form == "not"; });
  if (!is_do(auxiliary.form) || is_negated) {
    clause.predicate.insert(clause.predicate.begin(), {auxiliary.form, auxiliary.form});
    ++clause.verb;
  } else if (auxiliary.form != "do") {
    Word& main = clause.predicate[clause.verb];
    const std::string inflected =
        auxiliary.form == "does" ? third_person(main.form) : past_tense(main.form);
    main.text.replace(0, main.form.size(), inflected);
    main.form = inflected;
  }
  return clause;
}

bool begins_predicate_of_be(std::string_view word) {
  return is_participle(word) || is_gerund(word) || is_adverb(word) ||
         is_among(word,
                  {"able",  "likely",    "unlikely",  "bad",    "difficult", "hard",    "easy",
                   "good",  "important", "necessary", "common", "uncommon",  "popular", "happy",
                   "going", "useful",    "dangerous", "like",   "different", "afraid"});
}

// The end of the subject of "to be"; rest.size() if all words are the subject.
size_t end_of_subject_of_be(const Words& rest) {
  if (is_personal(rest[0].form)) return 1;
  const size_t end = clause_end(rest, 1);
  bool is_in_relative_clause = false;
  for (size_t i = 1; i < end; ++i) {
    const std::string& before = rest[i - 1].form;
    is_in_relative_clause |= is_relative(rest[i].form);
    if (is_in_relative_clause || is_determiner(before) || is_preposition(before)) continue;
    if (begins_predicate_of_be(rest[i].form)) return i;
  }
  return rest.size();
}

std::optional<Clause> undo_be(const Word& auxiliary, const Words& rest) {
  if (rest.empty()) return std::nullopt;
  const auto end = rest.begin() + static_cast<std::ptrdiff_t>(end_of_subject_of_be(rest));
  Clause clause{{rest.begin(), end}, {end, rest.end()}, 0, "be"};
  clause.predicate.insert(clause.predicate.begin(), {auxiliary.form, auxiliary.form});
  const size_t next = past_adverbs(clause.predicate, 1);
  if (next < clause.predicate.size() && begins_predicate_of_be(clause.predicate[next].form)) {
    clause.verb = next;
    clause.plain = clause.predicate[next].form;
  }
  return clause;
}

// "What has she done": only a pronoun or "been" shows for sure that a subject follows.
std::optional<Clause> undo_have(const Word& auxiliary, const Words& rest) {
  for (size_t i = 1; i < clause_end(rest, 1); ++i) {
    const bool is_predicate = is_participle(rest[i].form) && !is_determiner(rest[i - 1].form);
    if (!is_predicate) continue;
    const auto end = rest.begin() + static_cast<std::ptrdiff_t>(i);
    Clause clause{{rest.begin(), end}, {end, rest.end()}, 1, rest[i].form};
    clause.predicate.insert(clause.predicate.begin(), {auxiliary.form, auxiliary.form});
    return clause;
  }
  return std::nullopt;
}

// Whether the verb's infinitive takes the object that is asked for: "try to find".
bool passes_object_on(std::string_view plain) {
  return is_among(plain, {"want", "try", "like", "hope", "plan", "attempt", "love", "start",
                          "begin", "expect", "going", "likely", "unlikely", "able", "prefer",
                          "hoping", "trying", "have", "decide"});
}

// Whether a relative clause begins, before which the answer belongs: "have | that is new".
bool begins_relative_clause(const Words& words, size_t at) {
  return at + 1 < words.size() && is_relative(words[at].form) &&
         (is_auxiliary(words[at + 1].form) || is_third_person(words[at + 1].form));
}

}  // namespace

bool is_motion(std::string_view verb) {
  return is_among(verb, {"go", "head", "move", "heading", "going", "come"});
}

bool lacks_subject(const Word& auxiliary, const Words& rest) {
  const size_t first = past_adverbs(rest, 0);
  if (first >= rest.size()) return true;
  const std::string& word = rest[first].form;
  if (begins_noun_phrase(word)) {
    return is_have(auxiliary.form) && !is_personal(word) && rest.back().form != "been";
  }
  if (is_be(auxiliary.form)) {
    return first > 0 || begins_predicate_of_be(word) || is_preposition(word);
  }
  if (is_have(auxiliary.form)) return is_participle(word) || rest.back().form != "been";
  if (word == "be" || word == "have") return true;
  if (!is_verb(word)) return false;
  const Words behind(rest.begin() + static_cast<std::ptrdiff_t>(first), rest.end());
  const size_t verb = find_plain_verb(behind);
  return is_only_verb(word) || !is_outdone(behind, 0, verb);
}

std::optional<Clause> undo_inversion(const Word& auxiliary, const Words& rest) {
  if (is_be(auxiliary.form)) return undo_be(auxiliary, rest);
  if (is_have(auxiliary.form)) return undo_have(auxiliary, rest);
  return undo_plain(auxiliary, rest);
}

size_t end_of_main_clause(const Clause& clause) {
  return clause_end(clause.predicate, clause.verb + 1);
}

size_t goal_or_place(const Clause& clause) {
  const Words& predicate = clause.predicate;
  const size_t verb = clause.verb;
  const std::string next = verb + 1 < predicate.size() ? predicate[verb + 1].form : "";
  const bool is_before_purpose = (next == "to" || next == "for") && verb + 2 < predicate.size();
  if (is_motion(clause.plain) && is_before_purpose) return verb + 1;
  return begins_relative_clause(predicate, verb + 1) ? verb + 1 : clause_end(predicate, verb + 1);
}

size_t object_place(const Clause& clause) {
  const Words& predicate = clause.predicate;
  size_t verb = clause.verb;
  const auto form = [&](size_t i) { return i < predicate.size() ? predicate[i].form : ""; };
  const size_t end = clause_end(predicate, verb + 1);
  const std::string last = form(end - 1);
  if (end - 1 > verb && (is_preposition(last) || last == "to" || last == "be" ||
                         (is_verb(last) && form(end - 2) == "to"))) {
    return end;
  }
  if (form(verb + 1) == "to" && is_verb(form(verb + 2)) &&
      (passes_object_on(clause.plain) || form(verb + 2) == "do" || form(verb + 2) == "be")) {
    verb += 2;
  } else if (form(verb) == "be" && (is_gerund(form(verb + 1)) || is_participle(form(verb + 1)))) {
    verb += 1;
  }
  const std::string next = form(verb + 1);
  if (is_preposition(next) && (form(verb + 2) == "to" || is_subordinator(form(verb + 2)))) {
    return verb + 2;  // "look at | to see"
  }
  if (begins_relative_clause(predicate, verb + 1)) return verb + 1;
  if (is_preposition(next) || is_adverb(next) || next == "to" || is_subordinator(next)) {
    return verb + 1;
  }
  return end;
}

}  // namespace rubric::data
