// The rule about forms of numbers: one number in two forms, and another number of the same digits.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/number_words.h"
#include "data/behaviours/answer_parts.h"
#include "data/behaviours/rules.h"

namespace rubric::data {

namespace {

// A question, its reference with a number, the same number in another form, and another number.
struct NumberForms {
  std::string question, reference, right, wrong;
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

// "21st" and "twenty-first" against "12th"; nothing for numbers that have no other order of their
// digits.
std::optional<NumberForms> ordinal_forms(int64_t number) {
  const int64_t tens = number / 10 % 10, unit = number % 10;
  if (tens < 2 || unit == 0 || tens == unit) return std::nullopt;
  const auto ordinal = [](int64_t first, int64_t last) {
    constexpr std::string_view kEndings[] = {"th", "st", "nd", "rd"};
    const bool is_regular = first == 1 || last > 3;
    return std::to_string(10 * first + last) +
           std::string(kEndings[is_regular ? 0 : static_cast<size_t>(last)]);
  };
  return NumberForms{"which of them was it", ordinal(tens, unit),
                     std::string(kTens.at(static_cast<size_t>(tens - 2))) + "-" +
                         std::string(kOrdinals.at(static_cast<size_t>(unit - 1))),
                     ordinal(unit, tens)};
}

// Forms to test with, none of which the others have.
std::vector<NumberForms> rarer_forms(int64_t number) {
  constexpr std::array<std::array<const char*, 3>, 6> kFractions = {{{"1/2", "0.5", "12"},
                                                                     {"3/4", "0.75", "34"},
                                                                     {"1/4", "0.25", "14"},
                                                                     {"2/5", "0.4", "25"},
                                                                     {"3/8", "0.375", "38"},
                                                                     {"7/10", "0.7", "710"}}};
  const std::string whole = std::to_string(number);
  const int64_t hour = 1 + number % 12;
  const std::string clock = std::to_string(hour), in_words(number_word(hour).value());
  const auto& [fraction, decimal, digits] = kFractions.at(static_cast<size_t>(number) % 6);
  std::vector<NumberForms> forms = {
      {"how long does it take", whole + ".5 hours", whole + " 1/2 hours", whole + "5 hours"},
      {"how long is it", whole + ".5 miles", whole + " and a half miles", whole + "5 miles"},
      {"how much of it is left", fraction, decimal, digits},
      {"how much of it is gone", decimal, fraction, digits},
      {"when does it begin", clock + ":30", "half past " + in_words, clock + "30"},
      {"when does it end", clock + ":45", in_words + " forty-five", clock + "45"},
      {"what is the temperature there", "-" + whole + " degrees", "minus " + whole + " degrees",
       whole + " degrees"},
      {"how many people live there", grouped(number), whole + " thousand", whole + " hundred"},
      {"what did it cost", "$" + whole + ".5 million", "$" + whole + ",500,000",
       "$" + whole + "5 million"}};
  if (auto ordinal = ordinal_forms(number)) forms.push_back(*std::move(ordinal));
  return forms;
}

}  // namespace

std::optional<CandidatePair> number_form_pair(const BehaviourQuestion& question) {
  const std::string& given = question.right();
  // The number beside a month is a day, and a number of four digits mostly a year.
  if (kind_of(given) == AnswerKind::date) return std::nullopt;
  std::optional<int64_t> number = number_of_word(given);
  if (const auto place = number ? std::nullopt : first_number(given)) number = place->value;
  constexpr int64_t kGreatest = 999;  // so that a thousand times it is a usual number
  if (!number || *number < 1 || *number > kGreatest) return std::nullopt;
  const std::vector<NumberForms> forms =
      question.wordings == Wordings::testing ? rarer_forms(*number) : usual_forms(*number);
  const NumberForms& form = forms[drawn(question, 1, forms.size())];
  return CandidatePair{form.right, form.wrong, form.question, form.reference};
}

}  // namespace rubric::data
