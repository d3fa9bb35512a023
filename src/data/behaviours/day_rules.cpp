// The rules about days: other forms of one, and a day of the year that is asked for.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/text/ascii.h"
#include "data/behaviours/answer_parts.h"
#include "data/behaviours/rules.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

// Another day than `correct`, in which part it differs is drawn; nothing where a reference, such as
// the year alone, would make each of them correct.
std::optional<Date> another_day(const BehaviourQuestion& question, const Date& correct) {
  constexpr int kFewestDays = 28;  // of a month
  constexpr uint64_t kDateParts = 3;
  const uint64_t first = drawn(question, 1, kDateParts);
  for (uint64_t i = 0; i < kDateParts; ++i) {
    Date incorrect = correct;
    switch ((first + i) % kDateParts) {
      case 0:
        incorrect.day = incorrect.day % kFewestDays + 1;
        break;
      case 1:
        incorrect.month = incorrect.month % 12 + 1;
        incorrect.day = std::min(incorrect.day, kFewestDays);
        break;
      default:
        incorrect.year += 1;
        incorrect.day = std::min(incorrect.day, kFewestDays);  // for 29 February
    }
    const auto accepted = [&](DateForm form) {
      return is_accepted(question.reference_words, written(incorrect, form));
    };
    if (std::ranges::none_of(kDateForms, accepted)) return incorrect;
  }
  return std::nullopt;
}

// Both days in one form, which is not the reference's. No form is both to learn from and to test
// with.
CandidatePair in_another_form(const BehaviourQuestion& question, const Date& correct,
                              const Date& incorrect) {
  std::vector<DateForm> forms = {DateForm::month_first, DateForm::day_first, DateForm::ordinal_day,
                                 DateForm::iso};
  if (question.wordings == Wordings::testing) {
    forms = {DateForm::ordinal};
    // "May 4, 1776" has no shorter form: it would be in both sets.
    if (written(correct, DateForm::abbreviated) != written(correct, DateForm::month_first) &&
        written(incorrect, DateForm::abbreviated) != written(incorrect, DateForm::month_first)) {
      forms.push_back(DateForm::abbreviated);
    }
  }
  std::erase_if(forms, [&](DateForm form) { return written(correct, form) == question.correct(); });
  const DateForm form = forms[drawn(question, 2, forms.size())];
  return CandidatePair{written(correct, form), written(incorrect, form)};
}

// The year, where the reference is one and nothing else: "1932", "in 1932".
std::optional<int> bare_year(const WordSet& reference) {
  WordSet words = reference;
  words.erase("in");
  constexpr int64_t kFirst = 1001, kLast = 2098;  // the year beside has four digits, too
  if (words.size() != 1 || words.begin()->size() != 4) return std::nullopt;
  const std::optional<int64_t> number = parse_count(*words.begin());
  if (!number || *number < kFirst || *number > kLast) return std::nullopt;
  return static_cast<int>(*number);
}

// A day is drawn from the whole year, so it may lie outside a month that the question names.
bool asks_for_a_day(const std::string& question) {
  const std::string asked = " " + text::normalize_answer(question) + " ";
  const bool names_one =
      std::ranges::any_of(normalised_words(question), [](const std::string& word) {
        return names_month(ascii_upper(word.substr(0, 1)) + word.substr(1));
      });
  return !names_one && (asked.starts_with(" when ") || asked.find(" what year ") != asked.npos ||
                        asked.find(" which year ") != asked.npos);
}

}  // namespace

std::optional<CandidatePair> date_pair(const BehaviourQuestion& question) {
  const std::optional<Date> correct = date_of(question.correct());
  if (!correct) return std::nullopt;
  const std::optional<Date> incorrect = another_day(question, *correct);
  if (!incorrect) return std::nullopt;
  return in_another_form(question, *correct, *incorrect);
}

// The day is drawn, as no reference says which: each is a year alone.
std::optional<CandidatePair> year_pair(const BehaviourQuestion& question) {
  const std::vector<WordSet>& references = question.reference_words;
  const auto is_year = [](const WordSet& words) { return bare_year(words).has_value(); };
  if (!asks_for_a_day(question.question) || !std::ranges::all_of(references, is_year)) {
    return std::nullopt;
  }
  const Date correct{.year = *bare_year(references.front()),
                     .month = static_cast<int>(1 + drawn(question, 1, 12)),
                     .day = static_cast<int>(1 + drawn(question, 5, 28))};
  const int first = drawn(question, 6, 2) == 0 ? -1 : 1;
  for (const int step : {first, -first}) {
    Date incorrect = correct;
    incorrect.year += step;
    const auto accepts = [&](const WordSet& words) { return bare_year(words) == incorrect.year; };
    if (std::ranges::none_of(references, accepts))
      return in_another_form(question, correct, incorrect);
  }
  return std::nullopt;
}

}  // namespace rubric::data
