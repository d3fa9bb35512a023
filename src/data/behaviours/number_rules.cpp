// The rule about forms of numbers: one number in two forms, and another number of the same digits.
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/behaviours/answer_parts.h"
#include "data/behaviours/rules.h"

namespace rubric::data {

namespace {

// A question, its reference with a number, the same number in another form, and another number.
template <class Text>
struct NumberForms {
  Text question, reference, correct, incorrect;
};

// "25" with a point before its last digit: "2.5".
std::string with_point(int64_t number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

std::string grouped(int64_t thousands) {
  return with_number("0", {.begin = 0, .end = 1, .value = 0, .has_commas = true}, 1000 * thousands);
}

// Forms to learn from and to tune with.
std::vector<NumberForms<std::string>> usual_forms(int64_t number) {
  const std::string whole = std::to_string(number), point = with_point(number);
  std::vector<NumberForms<std::string>> forms = {
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

// Forms to test with: their values are of people, so that a form that text::normalize_quantities()
// reads as another number counts against a metric that relies on it.
constexpr NumberForms<std::string_view> kTestingForms[] = {
    {"how long does it take", "2.5 hours", "2 1/2 hours", "25 hours"},
    {"how long is it", "7.5 miles", "seven and a half miles", "75 miles"},
    {"how many years did it take", "one and a half", "1.5", "15"},
    {"how much of it is left", "1/2", "0.5", "12"},
    {"how much of it is gone", "0.75", "3/4", "34"},
    {"how much of it is water", "two thirds", "2/3", "23"},
    {"how much of the cake was eaten", "¼", "a quarter", "14"},
    {"what share do they own", "one third", "1/3", "13"},
    {"what is the ratio", "0.4", "2/5", "25"},
    {"how wide is the screw", "3/8 inch", "0.375 inch", "38 inch"},
    {"what is pi, roughly", "3.14", "three point one four", "314"},
    {"how fast does it grow", "0.5 mm a day", ".5 mm a day", "5 mm a day"},
    {"how heavy is the parcel", "３.５ kg", "3.5 kg", "35 kg"},
    {"when does it begin", "9:30", "half past nine", "930"},
    {"when does it end", "8:45", "quarter to nine", "845"},
    {"when did the train leave", "6:15", "quarter past six", "615"},
    {"when did the lights go out", "eleven thirty", "11:30", "1130"},
    {"when is the bell rung", "12:15", "twelve fifteen", "1215"},
    {"when does the shop open", "10 a.m.", "10:00am", "10 p.m."},
    {"when does the shop close", "5:30 p.m.", "5.30pm", "5:30 a.m."},
    {"when does the film start", "7 pm", "19:00", "7 am"},
    {"what is the temperature there", "-12 degrees", "minus 12 degrees", "12 degrees"},
    {"how cold is it outside", "-5 °C", "minus five °C", "5 °C"},
    {"what was the change", "-3%", "minus three percent", "3%"},
    {"what is the lowest value", "-0.5", "minus one half", "0.5"},
    {"what is the charge of the ion", "negative two", "-2", "2"},
    {"how many people live there", "17,000", "17 thousand", "1,700"},
    {"how many people live in the town", "12 500", "12,500", "1 250"},
    {"how large was the army", "1'200'000", "1.2 million", "12,000,000"},
    {"how many copies were sold", "2,500,000", "two and a half million", "25,000,000"},
    {"how many visitors came", "half a million", "500,000", "5,000,000"},
    {"how many seats does it have", "1,350", "thirteen hundred and fifty", "13,500"},
    {"how many species are known", "350,000", "three hundred and fifty thousand", "35,000"},
    {"how many soldiers were there", "ten thousand", "10,000", "1,000"},
    {"how many people were asked", "1,024", "one thousand and twenty-four", "10,024"},
    {"how many eggs are in the box", "a dozen", "12", "20"},
    {"what did it cost", "$4.5 million", "$4,500,000", "$45 million"},
    {"what was the price", "$5M", "$5 million", "$5"},
    {"how much was raised", "$1.2B", "$1.2 billion", "$1.2 million"},
    {"what is the salary", "$60k", "$60,000", "$6,000"},
    {"how much did they pay", "€12,500", "12 500 €", "€1,250"},
    {"how much is a litre", "€1.75", "1,75 €", "€175"},
    {"how much is a ticket", "20 euros", "€20", "€200"},
    {"how large is the share", "12.5%", "twelve and a half percent", "125%"},
    {"how many of them agreed", "50 per cent", "fifty percent", "15 percent"},
    {"how much of it is fat", "3.5 %", "3.5 percent", "35 percent"},
    {"which of them was it", "21st", "twenty-first", "12th"},
    {"which president was he", "45th", "forty-fifth", "54th"},
    {"in which century was it built", "the 14th century", "the fourteenth century",
     "the 4th century"},
    {"in which year was it", "1945", "nineteen forty-five", "1954"},
    {"in which year did it open", "2012", "twenty twelve", "2021"},
    {"how old was she", "thirty-seven", "37", "73"},
    {"how many pages does it have", "two hundred and five", "205", "250"},
    {"how many steps are there", "365", "three hundred sixty-five", "356"},
    {"how old is the boy", "7 years", "seven years", "70 years"},
    {"how long is the winter", "5–10 weeks", "5-10 weeks", "510 weeks"},
    {"what was the score", "3-2", "3–2", "32"},
    {"what are the odds", "fifty-fifty", "50-50", "5050"},
    {"how many guests will come", "thirty to forty", "30 to 40", "34"},
};

}  // namespace

std::optional<CandidatePair> number_form_pair(const BehaviourQuestion& question) {
  const std::string& given = question.right();
  // The number beside a month is a day, and a number of four digits mostly a year.
  if (kind_of(given) == AnswerKind::date) return std::nullopt;
  std::optional<int64_t> number = number_of_word(given);
  if (const auto place = number ? std::nullopt : first_number(given)) number = place->value;
  constexpr int64_t kGreatest = 999;  // so that a thousand times it is a usual number
  if (!number || *number < 1 || *number > kGreatest) return std::nullopt;
  if (question.wordings == Wordings::testing) {
    const auto& form = kTestingForms[drawn(question, 1, std::size(kTestingForms))];
    return CandidatePair{std::string(form.correct), std::string(form.incorrect),
                         std::string(form.question), std::string(form.reference)};
  }
  const auto forms = usual_forms(*number);
  const auto& form = forms[drawn(question, 1, forms.size())];
  return CandidatePair{form.correct, form.incorrect, form.question, form.reference};
}

}  // namespace rubric::data
