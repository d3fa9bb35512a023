#include <algorithm>
#include <array>
#include <optional>

#include "data/vacuous_rationales/english.h"
#include "data/vacuous_rationales/vacuous_rationales.h"

namespace rubric::data {
namespace {

struct Converted {
  Words words;
  StatementRule rule;
};

bool asks_for_thing(const std::string& wh) {
  return !is_among(wh, {"where", "when", "why", "how"});
}

// Inserts `answer` at `place` of the predicate; a comma before it moves behind it.
Words with_answer(const Clause& clause, size_t place, Words answer) {
  Words before = join_words({clause.subject, slice(clause.predicate, 0, place)});
  if (ends_in_comma(before.back())) {
    answer.back().text += before.back().text.back();
    before.back().text.pop_back();
  }
  return join_words({before, answer, slice(clause.predicate, place)});
}

// "What is something | used by many": all words after "is" are the subject, although a participle
// looks like the predicate.
bool is_all_subject(const Clause& clause) {
  if (clause.predicate.size() == 1) return true;
  const std::string& last = clause.predicate.back().form;
  return is_participle(clause.plain) && !is_preposition(last) && !is_verb(last) && last != "to" &&
         !is_among(clause.plain, {"called", "considered", "known", "named"}) &&
         object_place(clause) <= clause.verb + 1;
}

bool names_place(const Words& subject) {
  return std::ranges::any_of(subject, [](const Word& word) {
    return is_among(word.form, {"place", "places", "location"});
  });
}

Converted identity(const WhPhrase& phrase, const Words& sentence, const Words& answer) {
  const Words subject = slice(sentence, phrase.auxiliary + 1);
  const Words auxiliary = {{sentence[phrase.auxiliary].form, sentence[phrase.auxiliary].form}};
  const bool is_place = sentence[phrase.wh].form == "where" && !names_place(subject);
  const Words end = is_place ? place_words(answer, auxiliary, "be") : answer;
  return {join_words({subject, auxiliary, end}), StatementRule::identity};
}

std::optional<Converted> convert_phrase(const WhPhrase& phrase, const Words& sentence,
                                        Words answer) {
  const std::string& wh = sentence[phrase.wh].form;
  const Word& auxiliary = sentence[phrase.auxiliary];
  const Words behind_wh = slice(sentence, phrase.wh + 1, phrase.auxiliary);
  const Words preposition =
      split_words(phrase.start < phrase.wh ? sentence[phrase.start].form : "");
  const Words rest = slice(sentence, phrase.auxiliary + 1);
  if (wh == "how") answer = join_words({answer, counted_noun(behind_wh, answer)});
  const bool is_counted = wh == "how" && !behind_wh.empty();
  const bool is_subject_place = wh == "where" && is_be(auxiliary.form) && behind_wh.empty() &&
                                !rest.empty() && is_adverb(rest[0].form);
  if ((asks_for_thing(wh) || is_counted || is_subject_place) && preposition.empty() &&
      !is_do(auxiliary.form) && lacks_subject(auxiliary, rest)) {
    return Converted{join_words({answer, slice(sentence, phrase.auxiliary)}),
                     StatementRule::subject};
  }
  std::optional<Clause> clause = undo_inversion(auxiliary, rest);
  if (!clause) return std::nullopt;
  const bool is_identity =
      is_be(auxiliary.form) && preposition.empty() &&
      (asks_for_thing(wh) ? is_all_subject(*clause) : clause->predicate.size() == 1);
  if (is_identity) return identity(phrase, sentence, answer);
  if (!preposition.empty()) {
    return Converted{
        with_answer(*clause, goal_or_place(*clause), join_words({preposition, answer})),
        StatementRule::place};
  }
  if (wh == "where") {
    const size_t place = goal_or_place(*clause);
    const Words there = place_words(answer, slice(clause->predicate, 0, place), clause->plain);
    return Converted{with_answer(*clause, place, join_words({there, behind_wh})),
                     StatementRule::place};
  }
  if (!asks_for_thing(wh) && !is_counted) {
    return Converted{
        with_answer(*clause, end_of_main_clause(*clause), manner_words(wh, answer, clause->plain)),
        StatementRule::manner};
  }
  size_t place = object_place(*clause);
  const bool is_inflected = is_do(auxiliary.form) && place == clause->verb + 1;
  if (place > 1 && !is_inflected && is_replaced(clause->predicate[place - 1], answer[0])) {
    clause->predicate.erase(clause->predicate.begin() + static_cast<std::ptrdiff_t>(--place));
  }
  return Converted{with_answer(*clause, place, answer), StatementRule::object};
}

std::optional<Converted> convert_fronted(const WhPhrase& phrase, const Words& sentence,
                                         const Words& answer) {
  std::optional<Converted> converted = convert_phrase(phrase, sentence, answer);
  if (!converted) return std::nullopt;
  Words before = slice(sentence, 0, phrase.start);
  if (!begins_part(sentence, phrase.start)) before.back().text += ",";
  converted->words = join_words({before, converted->words});
  return converted;
}

// "What helps", "Which old car stops": no auxiliary, and a verb after the wh-phrase.
std::optional<Converted> convert_subject(const Words& sentence, const Words& answer) {
  for (size_t wh = 0; wh < sentence.size(); ++wh) {
    const std::string& form = sentence[wh].form;
    const bool asks = is_what(form) || form == "who" || form == "which";
    if (!asks || !begins_part(sentence, wh) || wh + 1 >= sentence.size()) continue;
    for (size_t verb = wh + 1; verb < sentence.size(); ++verb) {
      const std::string& word = sentence[verb].form;
      if (is_preposition(word) || is_wh_word(word)) break;
      const bool is_before_verb =
          verb + 1 < sentence.size() && is_third_person(sentence[verb + 1].form);
      const bool is_past = is_irregular_past(word) && !is_auxiliary(word) && !is_before_verb;
      const bool is_finite = is_third_person(word) || is_past || (verb > wh + 1 && is_verb(word)) ||
                             (verb == wh + 1 && (is_verb(word) || is_participle(word)));
      if (!is_finite) continue;
      return Converted{join_words({slice(sentence, 0, wh), answer, slice(sentence, verb)}),
                       StatementRule::subject};
    }
  }
  return std::nullopt;
}

Converted replace_words(const Words& sentence, size_t begin, size_t end, Words answer) {
  if (ends_in_comma(sentence[end - 1])) answer.back().text += sentence[end - 1].text.back();
  Words before = slice(sentence, 0, begin);
  if (before.size() > 1 && is_replaced(before.back(), answer[0])) before.pop_back();
  return {join_words({before, answer, slice(sentence, end)}),
          end == sentence.size() ? StatementRule::end : StatementRule::inside};
}

std::optional<Converted> convert_inside(const Words& sentence, const Words& answer) {
  const size_t wh = find_inside(sentence);
  if (wh == sentence.size()) return std::nullopt;
  if (is_what(sentence[wh].form)) {
    return replace_words(sentence, wh, end_of_noun(sentence, wh), answer);
  }
  const Words place = place_words(answer, slice(sentence, 0, wh), sentence[wh - 1].form);
  return replace_words(sentence, wh, wh + 1, place);
}

std::optional<Converted> convert_end(const Words& sentence, const Words& answer) {
  const std::string& wh = sentence.back().form;
  if (!is_wh_word(wh) || sentence.size() == 1) return std::nullopt;
  const Words before = slice(sentence, 0, sentence.size() - 1);
  Words end = wh == "where" ? place_words(answer, before, before.back().form) : answer;
  if (wh == "why") end = manner_words(wh, answer, "");
  return replace_words(sentence, before.size(), sentence.size(), end);
}

// Replaces "faster or slower" by the answer if it is one of them.
bool choose_alternative(Words& sentence, const Words& answer) {
  const auto same = [](const Word& a, const Word& b) { return a.form == b.form; };
  const auto at = std::search(sentence.begin(), sentence.end(), answer.begin(), answer.end(), same);
  if (at == sentence.end()) return false;
  const auto size = static_cast<std::ptrdiff_t>(answer.size());
  const auto end = at + size;
  if (end != sentence.end() && end->form == "or") {
    sentence.erase(end, end + std::min(size + 1, sentence.end() - end));
    return true;
  }
  if (at - sentence.begin() < size + 1 || (at - 1)->form != "or") return false;
  sentence.erase(at - 1 - size, at);
  return true;
}

std::optional<Converted> convert_polar(const Words& question, const Words& answer) {
  Words sentence = question;
  if (!is_auxiliary(sentence[0].form)) return std::nullopt;
  const std::string& first = answer[0].form;
  const bool is_yes_or_no = answer.size() == 1 && (first == "yes" || first == "no");
  if (!is_yes_or_no && !choose_alternative(sentence, answer)) return std::nullopt;
  const Word auxiliary = sentence[0];
  const std::optional<Clause> clause = undo_inversion(auxiliary, slice(sentence, 1));
  const bool has_predicate = clause && (!is_be(auxiliary.form) || clause->predicate.size() > 1);
  if (!has_predicate) return std::nullopt;
  Words words = join_words({clause->subject, clause->predicate});
  if (first == "no") {
    const std::optional<Clause> whole = undo_inversion({"can", "can"}, slice(sentence, 1));
    const Clause& used = is_do(auxiliary.form) && whole ? *whole : *clause;
    Words predicate = used.predicate;
    predicate[0] = {auxiliary.form, auxiliary.form};
    predicate.insert(predicate.begin() + 1, {"not", "not"});
    words = join_words({used.subject, predicate});
  }
  if (is_yes_or_no) words = join_words({split_words(first + ","), words});
  return Converted{words, StatementRule::polar};
}

// "You need this": the answer also replaces "this" and "here" at the end.
std::optional<Converted> convert_open(const Words& sentence, const Words& answer) {
  if (sentence.size() < 3 || is_auxiliary(sentence[0].form)) return std::nullopt;
  const std::string& last = sentence.back().form;
  const Words before = slice(sentence, 0, sentence.size() - 1);
  if (last == "this" || last == "here") {
    const Words end = last == "here" ? place_words(answer, before, before.back().form) : answer;
    return Converted{replace_words(sentence, before.size(), sentence.size(), end).words,
                     StatementRule::open};
  }
  const bool is_open = is_auxiliary(last) || is_preposition(last) || is_determiner(last) ||
                       is_adverb(last) || is_verb(last) || is_personal(last) ||
                       is_among(last, {"to", "be", "and", "or", "very", "called"});
  if (!is_open) return std::nullopt;
  return Converted{join_words({sentence, answer}), StatementRule::open};
}

std::optional<Converted> convert_sentence(const Words& whole, const Words& answer) {
  const Words sentence = without_end_mark(whole);
  if (sentence.empty()) return std::nullopt;
  if (std::optional<Converted> converted = convert_end(sentence, answer)) return converted;
  if (const std::optional<WhPhrase> phrase = find_phrase(sentence)) {
    std::optional<Converted> converted = convert_fronted(*phrase, sentence, answer);
    if (converted || phrase->wh == 0) return converted;
  }
  for (const auto& convert : {convert_subject, convert_inside, convert_polar, convert_open}) {
    if (std::optional<Converted> converted = convert(sentence, answer)) return converted;
  }
  return std::nullopt;
}

std::string as_sentence(const Words& words) {
  std::string text = capitalized(to_text(words));
  const bool has_end =
      !text.empty() && std::string_view(".?!").find(text.back()) != std::string_view::npos;
  return has_end ? text : text + ".";
}

bool fill_blank(Words& words, const std::string& answer) {
  for (Word& word : words) {
    const size_t start = word.text.find("__");
    if (start == std::string::npos) continue;
    const size_t end = std::min(word.text.find_first_not_of('_', start), word.text.size());
    word.text.replace(start, end - start, answer);
    return true;
  }
  return false;
}

}  // namespace

const char* name_of(StatementRule rule) {
  static constexpr std::array<const char*, kStatementRules> kNames = {
      "blank", "end",    "inside", "subject", "identity", "object",
      "place", "manner", "polar",  "open",    "plain"};
  return kNames.at(static_cast<size_t>(rule));
}

Statement vacuous_statement(std::string_view question, std::string_view answer) {
  const Words words = split_words(question);
  const Words filling = split_words(answer);
  Words filled = without_end_mark(words);
  if (fill_blank(filled, to_text(filling))) return {as_sentence(filled), StatementRule::blank};
  const std::vector<Words> sentences = split_sentences(words);
  for (size_t i = sentences.size(); i-- > 0;) {
    const std::optional<Converted> converted = convert_sentence(sentences[i], filling);
    if (!converted) continue;
    std::string text;
    for (size_t j = 0; j < sentences.size(); ++j) {
      if (j > 0) text += ' ';
      text += j == i ? as_sentence(converted->words) : to_text(sentences[j]);
    }
    return {text, converted->rule};
  }
  return {as_sentence(join_words({words, filling})), StatementRule::plain};
}

}  // namespace rubric::data
