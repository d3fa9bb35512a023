#include "data/behaviours/rules.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/random.h"
#include "core/text/ascii.h"
#include "core/text/number_words.h"
#include "data/behaviours/answer_parts.h"
#include "text/numbers.h"

namespace rubric::data {

namespace {

std::optional<CandidatePair> the_reference_in_both(const BehaviourQuestion& question) {
  return CandidatePair{question.correct(), question.correct()};
}

std::optional<CandidatePair> a_wrong_answer(const BehaviourQuestion& question) {
  if (!question.incorrect) return std::nullopt;
  return CandidatePair{question.correct(), *question.incorrect};
}

bool is_yes_or_no(const BehaviourQuestion& question) {
  return kind_of(question.correct()) == AnswerKind::yes_no;
}

std::optional<CandidatePair> correction(const BehaviourQuestion& question) {
  if (is_yes_or_no(question)) return std::nullopt;  // "No, not yes: it is no."
  return a_wrong_answer(question);
}

std::optional<CandidatePair> negation(const BehaviourQuestion& question) {
  if (is_yes_or_no(question)) return std::nullopt;  // "It is not no."
  return the_reference_in_both(question);
}

std::optional<CandidatePair> number(const BehaviourQuestion& question) {
  const std::string& correct = question.correct();
  const auto one_off = [&](int64_t value) {
    return value + (value > 0 && drawn(question, 1, 2) == 0 ? -1 : 1);
  };
  if (const auto value = number_of_word(correct)) {  // "seven": 7 against 8
    return CandidatePair{std::to_string(*value), std::to_string(one_off(*value))};
  }
  const std::optional<NumberPlace> place = first_number(correct);
  // The number beside a month is a day, with which the behaviour date deals.
  if (!place || names_month(correct)) return std::nullopt;
  const int64_t incorrect = one_off(place->value);
  const auto correct_word = number_word(place->value), incorrect_word = number_word(incorrect);
  const bool is_whole = place->begin == 0 && place->end == correct.size();
  if (is_whole && correct_word && incorrect_word && drawn(question, 2, 2) == 0) {
    return CandidatePair{std::string(*correct_word), std::string(*incorrect_word)};
  }
  return CandidatePair{correct, with_number(correct, *place, incorrect)};
}

std::optional<CandidatePair> entity(const BehaviourQuestion& question) {
  const AnswerKind kind = kind_of(question.correct());
  if (kind != AnswerKind::person && kind != AnswerKind::name) return std::nullopt;
  return a_wrong_answer(question);
}

std::optional<CandidatePair> several(const BehaviourQuestion& question) {
  if (!question.incorrect || !question.other) return std::nullopt;
  return the_reference_in_both(question);
}

std::optional<CandidatePair> no_answer(const BehaviourQuestion& question) {
  return CandidatePair{question.correct(), ""};
}

std::optional<CandidatePair> unit(const BehaviourQuestion& question) {
  const std::optional<UnitSpellings> spellings =
      other_units(question.correct(), random_bits(question.key, Purpose::behaviour, 1));
  if (!spellings || spellings->same.empty()) return std::nullopt;
  return CandidatePair{spellings->same, spellings->other};
}

std::optional<CandidatePair> typo(const BehaviourQuestion& question) {
  if (!question.incorrect) return std::nullopt;
  const std::optional<std::string> correct = with_typo(question.correct()),
                                   incorrect = with_typo(*question.incorrect);
  if (!correct || !incorrect) return std::nullopt;
  return CandidatePair{*correct, *incorrect};
}

// One of `candidates` that is not among those that others judged the other way.
std::optional<std::string> undisputed(const BehaviourQuestion& question, uint64_t stream,
                                      std::vector<std::string> candidates,
                                      const std::vector<std::string>& others) {
  std::erase_if(candidates, [&](const std::string& candidate) {
    return std::ranges::count(others, candidate) > 0;
  });
  if (candidates.empty()) return std::nullopt;
  return candidates[drawn(question, stream, candidates.size())];
}

// Whether the candidate has fewer than half of the words of each reference.
bool is_other_wording(const BehaviourQuestion& question, const std::string& candidate) {
  const WordSet words = normalised_words(candidate);
  return std::ranges::none_of(question.reference_words, [&](const WordSet& expected) {
    const auto found = std::ranges::count_if(
        expected, [&](const std::string& word) { return words.contains(word); });
    return 2 * found >= std::ssize(expected);
  });
}

std::optional<CandidatePair> paraphrase(const BehaviourQuestion& question) {
  std::vector<std::string> reworded = question.judged_correct;
  std::erase_if(reworded, [&](const std::string& candidate) {
    return !is_other_wording(question, candidate);
  });
  const std::optional<std::string> correct =
      undisputed(question, 1, std::move(reworded), question.judged_incorrect);
  std::optional<std::string> incorrect =
      undisputed(question, 2, question.judged_incorrect, question.judged_correct);
  if (!incorrect && question.incorrect) {
    // Of most questions people judged one answer. Another question's answer is surely incorrect,
    // unless it is what they judged correct.
    std::vector<WordSet> judged_correct;
    for (const std::string& text : question.judged_correct) {
      judged_correct.push_back(normalised_words(text));
    }
    if (!is_accepted(judged_correct, *question.incorrect)) incorrect = question.incorrect;
  }
  if (!correct || !incorrect) return std::nullopt;
  return CandidatePair{*correct, *incorrect};
}

// Asks whether the correct or an incorrect answer is the answer.
std::optional<CandidatePair> yes_no(const BehaviourQuestion& question) {
  if (!question.incorrect || is_yes_or_no(question)) return std::nullopt;
  const bool is_yes = drawn(question, 1, 2) == 0, is_capital = drawn(question, 2, 2) == 0;
  const std::string yes = is_capital ? "Yes" : "yes", no = is_capital ? "No" : "no";
  const std::string& asked = is_yes ? question.correct() : *question.incorrect;
  const std::string text = question.wordings == Wordings::testing
                               ? "Is " + asked + " the answer to \"" + question.question + "\"?"
                               : question.question + ": is it " + asked + "?";
  return CandidatePair{is_yes ? yes : no, is_yes ? no : yes, text, is_yes ? "yes" : "no"};
}

// Nothing where an empty answer is a correct one.
std::optional<CandidatePair> without_answer(const BehaviourQuestion& question) {
  const auto is_empty = [](const WordSet& words) { return words.empty(); };
  if (std::ranges::any_of(question.reference_words, is_empty)) return std::nullopt;
  return no_answer(question);
}

std::optional<CandidatePair> empty(const BehaviourQuestion& question) {
  if (!without_answer(question)) return std::nullopt;
  if (drawn(question, 5, 4) == 0) {  // few data sets ask for yes or no
    if (std::optional<CandidatePair> pair = yes_no(question)) {
      pair->incorrect.clear();
      return pair;
    }
  }
  return no_answer(question);
}

// Of persons: a family name for the whole name, or the whole name for it. Only questions with
// "who" ask for a person for certain: "Ben Nevis" and "Mary Rose" are none.
std::optional<CandidatePair> name_part(const BehaviourQuestion& question) {
  if (!question.incorrect) return std::nullopt;
  const auto correct = family_name(question.correct()),
             incorrect = family_name(*question.incorrect);
  const WordSet asked = normalised_words(question.question);
  const auto asks = [&](const std::string& word) { return asked.contains(word); };
  if (!correct || !incorrect || !(asks("who") || asks("whom") || asks("whose")))
    return std::nullopt;
  // A question that has the family name asks for the given one: "which of the Kennedys …".
  const std::string family = ascii_lower(*correct);
  if (asks(family) || asks(family + "s")) return std::nullopt;
  if (drawn(question, 1, 2) == 0) return CandidatePair{*correct, *incorrect};
  return CandidatePair{question.correct(), *question.incorrect, "", *correct};
}

}  // namespace

uint64_t drawn(const BehaviourQuestion& question, uint64_t stream, uint64_t bound) {
  return below(random_bits(question.key, Purpose::behaviour, stream), bound);
}

WordSet normalised_words(std::string_view text) {
  WordSet words;
  std::string word;
  for (const char c : text::normalize_numbers(text) + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

bool is_accepted(std::span<const WordSet> references, std::string_view answer) {
  const WordSet words = normalised_words(answer);
  return !words.empty() && std::ranges::any_of(references, [&](const WordSet& reference) {
    return (!reference.empty() && std::ranges::includes(words, reference)) ||
           std::ranges::includes(reference, words);
  });
}

namespace {

// Name, summary, the sentences around the correct and the incorrect answer, the answers, and
// whether the incorrect one has a reference in it.
constexpr Behaviour kEach[] = {
    {"copy", "a reference as it is against an answer to another question of the same kind", "bare",
     "bare", a_wrong_answer},
    {"negation", "\"It is X.\" against \"It is not X.\"", "affirmed", "negated", negation, true},
    {"number", "the right number, in digits or words, against one more or less", "plain", "plain",
     number},
    {"entity", "the right name against the name of another question", "plain", "plain", entity},
    {"verbose_right", "the correct answer in many words against an incorrect one in few", "verbose",
     "plain", a_wrong_answer},
    {"verbose_wrong", "the correct answer in few words against an incorrect one in many", "plain",
     "verbose", a_wrong_answer},
    {"several", "the correct answer against a choice of several, of which it is one", "plain",
     "several", several, true},
    {"refusal", "the correct answer with a doubt against a refusal", "hedged", "refused",
     no_answer},
    {"empty", "a reference as it is against an empty answer", "bare", "bare", empty},
    {"date", "the day in another form against another day in that form", "plain", "plain",
     date_pair},
    {"year", "where the reference is a year: a day of that year against the same day a year off",
     "plain", "plain", year_pair},
    {"unit", "the unit in another spelling against another unit of the quantity", "plain", "plain",
     unit},
    {"typo",
     "the correct answer with two letters exchanged against an incorrect one with a like slip",
     "plain", "plain", typo},
    {"yes_no", "yes against no, where the question is whether an answer is correct", "flat", "flat",
     yes_no},
    {"correction", "\"X, not Y\" against \"Y, not X\"", "preferred", "preferred", correction, true},
    {"aside", "\"X, long before Y\" against \"Y, long before X\", where both are names", "asides",
     "asides", entity, true},
    {"name_part",
     "a person's family name for the whole name, or the reverse, against another person's", "plain",
     "plain", name_part},
    {"paraphrase",
     "an answer that people judged right, with fewer than half of each reference's words, against "
     "one that they judged wrong, or a reference of another question",
     "bare", "bare", paraphrase, true},
    {"number_form",
     "the number in another form against another number of the same digits (\"2.50\" and \"25\" "
     "for 2.5), with a question that suits it",
     "plain", "plain", number_form_pair, true},
    {"no_answer", "a reference as it is against white space or a refusal and nothing else", "bare",
     "without_answer", without_answer}};

constexpr struct AllBehaviours {
  const Behaviour* all[std::size(kEach)] = {};
  constexpr AllBehaviours() {
    for (size_t i = 0; i < std::size(kEach); ++i) all[i] = &kEach[i];
  }
} kAllBehaviours;
static_assert(have_unique_names(kAllBehaviours.all));

}  // namespace

const List<Behaviour> kBehaviours = kAllBehaviours.all;

}  // namespace rubric::data
