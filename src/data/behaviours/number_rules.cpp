// The rule about forms of numbers: one number in two forms, and another number of the same digits.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/files/embedded.h"
#include "data/behaviours/answer_parts.h"
#include "data/behaviours/rules.h"

namespace rubric::data {

namespace {

// A question, its reference with a number, the same number in another form, and another number.
struct NumberForms {
  std::string question, reference, correct, incorrect;
};

// "25" with a point before its last digit: "2.5".
std::string with_point(int64_t number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

std::string grouped(int64_t thousands) {
  return with_number("0", {.begin = 0, .end = 1, .value = 0, .has_commas = true}, 1000 * thousands);
}

// Forms to learn from and to tune with.
std::vector<NumberForms> usual_forms(int64_t number) {
  const std::string whole = std::to_string(number), point = with_point(number);
  std::vector<NumberForms> forms = {
      {"how cold was it in the night", "-" + whole, "\u2212" + whole, whole},
      {"how many are left", whole, whole + ".0", "-" + whole},
      {"how many people came to see it", grouped(number), whole + "000", whole + "00"},
      {"how large is the part that is used", whole + "%", whole + " percent", point + "%"}};
  if (number % 10 > 0) {
    forms.push_back({"how heavy is it", point + " kg", point + "0 kg", whole + " kg"});
    forms.push_back({"how far is it", whole + " km", whole + ".00 km", point + " km"});
  }
  return forms;
}

}  // namespace

std::optional<CandidatePair> number_form_pair(const BehaviourQuestion& question) {
  const std::string& given = question.correct();
  // The number beside a month is a day, and a number of four digits mostly a year.
  if (kind_of(given) == AnswerKind::date) return std::nullopt;
  std::optional<int64_t> number = number_of_word(given);
  if (const auto place = number ? std::nullopt : first_number(given)) number = place->value;
  constexpr int64_t kGreatest = 999;  // so that a thousand times it is a usual number
  if (!number || *number < 1 || *number > kGreatest) return std::nullopt;
  if (question.wordings == Wordings::testing) {
    static const std::vector<Cells> forms =
        embedded_rows("data/behaviours/number_rules.tsv", "testing");
    const Cells& form = forms[drawn(question, 1, forms.size())];
    return CandidatePair{form[2], form[3], form[0], form[1]};
  }
  const auto forms = usual_forms(*number);
  const auto& form = forms[drawn(question, 1, forms.size())];
  return CandidatePair{form.correct, form.incorrect, form.question, form.reference};
}

}  // namespace rubric::data
