// What a short answer consists of: what kind it is, and the numbers, dates and units in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::data {

// date: a month, or a number that may be a year; number: any other text with a digit; yes_no: yes
// or no and nothing else; person: one that has a family_name(); name: each word of more than three
// letters begins with a capital; text: all else.
enum class AnswerKind { date, number, yes_no, person, name, text };
AnswerKind kind_of(std::string_view answer);

// The last word of a person's name: "King" of "Mary Jean King". The name is a frequent given name,
// perhaps a second one or an initial, and the family name, a capital and three small letters or
// more. Nothing for other texts; for "Robert De Niro" and "Prince Charles" nothing, either.
std::optional<std::string> family_name(std::string_view answer);
bool names_month(std::string_view answer);  // whether one of its words is January, …

struct Date {
  int year = 0, month = 1, day = 1;  // month and day from 1
};

// The answer, if it is a day and nothing else, as English writes it: "July 4, 1776", "4 July 1776"
// or "4th July 1776". nullopt for others, and for days that no month has.
std::optional<Date> date_of(std::string_view answer);

enum class DateForm { month_first, day_first, ordinal_day, iso, abbreviated, ordinal };
inline constexpr DateForm kDateForms[] = {DateForm::month_first, DateForm::day_first,
                                          DateForm::ordinal_day, DateForm::iso,
                                          DateForm::abbreviated, DateForm::ordinal};
std::string written(const Date& date, DateForm form);  // "July 4, 1776", …

// Where the first whole number stands that `answer` has: digits, perhaps with commas between
// groups of three, no part of a word or of a decimal fraction. At most nine digits.
struct NumberPlace {
  size_t begin = 0, end = 0;
  int64_t value = 0;
  bool has_commas = false;
};
std::optional<NumberPlace> first_number(std::string_view answer);

// The answer with another number at the place, commas as before.
std::string with_number(std::string_view answer, const NumberPlace& place, int64_t value);

// Zero to twelve in words, as an answer has them.
std::optional<int64_t> number_of_word(std::string_view answer);  // the whole answer: "Seven."

// A unit behind the answer's first number: the same unit in another spelling, "" where there is
// none, and another unit of the same quantity.
struct UnitSpellings {
  std::string same, other;  // whole answers
};
std::optional<UnitSpellings> other_units(std::string_view answer, uint64_t draw);

// The answer with two neighbouring letters of its longest word exchanged, neither of which is the
// first; nothing where no word has five ASCII letters.
std::optional<std::string> with_typo(std::string_view answer);

}  // namespace rubric::data
