#include "data/behaviours/answer_parts.h"

#include <algorithm>
#include <array>

#include "core/files/embedded.h"
#include "core/random.h"
#include "core/text/ascii.h"
#include "core/text/days.h"
#include "core/text/number_words.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

constexpr std::array<int, 12> kDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

const WordList kGivenNames("data/behaviours/answer_parts.tsv", "given names");

bool is_given_name(std::string_view word) {
  return std::ranges::find(kGivenNames, word) != kGivenNames.end();
}

// Whether a letter or digit stands at the position, or ends before it.
bool has_word_at(std::string_view text, size_t position) {
  if (position >= text.size()) return false;
  const char32_t c = decode_utf8(text, position);
  return text::is_letter(c) || text::is_number(c);
}
bool has_word_before(std::string_view text, size_t position) {
  if (position == 0) return false;
  const char32_t c = decode_utf8_backwards(text, position);
  return text::is_letter(c) || text::is_number(c);
}

// Without commas and full stops at their ends.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word : text::words_as_written(text)) {
    while (!word.empty() && (word.back() == ',' || word.back() == '.')) word.remove_suffix(1);
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

// 1 to 12; 0 for another word.
int month_of(std::string_view word) {
  const auto found = std::ranges::find(kMonths, word);
  return found == kMonths.end() ? 0 : static_cast<int>(found - kMonths.begin()) + 1;
}

bool may_be_year(std::string_view word) {
  return word.size() == 4 && (word[0] == '1' || word[0] == '2') &&
         std::ranges::all_of(word, is_ascii_digit);
}

std::string two_digits(int number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string ordinal(int day) {
  const bool is_teen = day >= 11 && day <= 13;
  const int last = is_teen ? 0 : day % 10;
  return std::to_string(day) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

// The units of one quantity, each in its spellings.
using Quantity = EmbeddedList<Cells>;
const Quantity kQuantities[] = {{"data/behaviours/answer_parts.tsv", "lengths"},
                                {"data/behaviours/answer_parts.tsv", "weights"},
                                {"data/behaviours/answer_parts.tsv", "times"},
                                {"data/behaviours/answer_parts.tsv", "counts"},
                                {"data/behaviours/answer_parts.tsv", "money"}};

// Whether the unit stands at the beginning of the text, as whole words.
bool begins_with(std::string_view text, std::string_view unit) {
  if (!text.starts_with(unit)) return false;
  return unit == "%" || !has_word_at(text, unit.size());
}

}  // namespace

AnswerKind kind_of(std::string_view answer) {
  const std::vector<std::string> words = words_of(answer);
  if (names_month(answer) || std::ranges::any_of(words, may_be_year)) return AnswerKind::date;
  if (std::ranges::any_of(answer, is_ascii_digit)) return AnswerKind::number;
  const std::string lower = words.size() == 1 ? ascii_lower(words.front()) : "";
  if (lower == "yes" || lower == "no") return AnswerKind::yes_no;
  constexpr size_t kShort = 3;  // of, the, von
  const bool is_name = std::ranges::all_of(words, [](const std::string& word) {
    return word.size() <= kShort || !(word.front() >= 'a' && word.front() <= 'z');
  });
  if (!is_name) return AnswerKind::text;
  return family_name(answer) ? AnswerKind::person : AnswerKind::name;
}

std::optional<std::string> family_name(std::string_view answer) {
  if (answer.find(',') != std::string_view::npos) return std::nullopt;  // "Mary, Jean King"
  const std::vector<std::string> words = words_of(answer);
  if (words.size() < 2 || words.size() > 3 || !is_given_name(words.front())) return std::nullopt;
  const std::string &middle = words[1], &last = words.back();
  const bool is_initial = middle.size() == 1 && middle.front() >= 'A' && middle.front() <= 'Z';
  if (words.size() == 3 && !is_initial && !is_given_name(middle)) return std::nullopt;
  constexpr size_t kLeast = 4;  // "Jr" is no family name
  const bool is_plain =
      last.size() >= kLeast && last.front() >= 'A' && last.front() <= 'Z' &&
      std::ranges::all_of(last.substr(1), [](char c) { return c >= 'a' && c <= 'z'; });
  return is_plain ? std::optional(last) : std::nullopt;
}

bool names_month(std::string_view answer) {
  return std::ranges::any_of(words_of(answer),
                             [](const std::string& word) { return month_of(word) > 0; });
}

std::optional<Date> date_of(std::string_view answer) {
  const std::vector<std::string> words = words_of(answer);
  if (words.size() != 3 || !may_be_year(words[2])) return std::nullopt;
  const bool is_month_first = month_of(words[0]) > 0;
  const Date date{.year = static_cast<int>(*parse_count(words[2])),
                  .month = month_of(words[is_month_first ? 0 : 1]),
                  .day = parse_day(words[is_month_first ? 1 : 0]).value_or(0)};
  if (date.month == 0 || date.day == 0) return std::nullopt;
  if (date.day > kDays[static_cast<size_t>(date.month) - 1]) return std::nullopt;
  return date;
}

std::string written(const Date& date, DateForm form) {
  const std::string month(kMonths[static_cast<size_t>(date.month) - 1]);
  const std::string day = std::to_string(date.day), year = std::to_string(date.year);
  switch (form) {
    case DateForm::month_first:
      return month + " " + day + ", " + year;
    case DateForm::day_first:
      return day + " " + month + " " + year;
    case DateForm::ordinal_day:
      return month + " " + ordinal(date.day) + ", " + year;
    case DateForm::iso:
      return year + "-" + two_digits(date.month) + "-" + two_digits(date.day);
    case DateForm::abbreviated:
      return (month.size() > 4 ? month.substr(0, 3) + "." : month) + " " + day + ", " + year;
    case DateForm::ordinal:
      return "the " + ordinal(date.day) + " of " + month + ", " + year;
  }
  return "";
}

std::optional<NumberPlace> first_number(std::string_view answer) {
  constexpr size_t kMostDigits = 9;
  for (size_t begin = 0; begin < answer.size(); ++begin) {
    if (!is_ascii_digit(answer[begin])) continue;
    if (has_word_before(answer, begin)) continue;
    NumberPlace place{.begin = begin, .end = begin};
    std::string digits;
    while (place.end < answer.size()) {
      const std::string_view rest = answer.substr(place.end);
      const bool is_group = rest.size() >= 4 && rest[0] == ',' && is_ascii_digit(rest[1]) &&
                            is_ascii_digit(rest[2]) && is_ascii_digit(rest[3]) &&
                            (rest.size() == 4 || !is_ascii_digit(rest[4]));
      if (is_group && !digits.empty()) {
        place.has_commas = true;
        ++place.end;
      } else if (!is_ascii_digit(rest[0])) {
        break;
      }
      digits += answer[place.end++];
    }
    const std::string_view rest = answer.substr(place.end);
    const bool goes_on = has_word_at(answer, place.end) ||
                         (rest.size() > 1 && rest[0] == '.' && is_ascii_digit(rest[1]));
    const bool is_fraction = begin > 1 && (answer[begin - 1] == '.' || answer[begin - 1] == ',') &&
                             is_ascii_digit(answer[begin - 2]);
    if (!goes_on && !is_fraction && digits.size() <= kMostDigits) {
      place.value = *parse_count(digits);
      return place;
    }
    begin = place.end - 1;
  }
  return std::nullopt;
}

std::string with_number(std::string_view answer, const NumberPlace& place, int64_t value) {
  std::string digits = std::to_string(value);
  if (place.has_commas) {
    for (size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  }
  return std::string(answer.substr(0, place.begin)) + digits +
         std::string(answer.substr(place.end));
}

std::optional<int64_t> number_of_word(std::string_view answer) {
  const std::vector<std::string> words = words_of(answer);
  return words.size() == 1 ? parse_number_word(ascii_lower(words.front())) : std::nullopt;
}

std::optional<UnitSpellings> other_units(std::string_view answer, uint64_t draw) {
  const std::optional<NumberPlace> number = first_number(answer);
  if (!number) return std::nullopt;
  size_t begin = number->end;
  if (begin < answer.size() && answer[begin] == ' ') ++begin;
  const std::string_view text = answer.substr(begin);
  for (const Quantity& quantity : kQuantities) {
    for (const Cells& unit : quantity) {
      for (const std::string_view spelling : unit) {
        if (!begins_with(text, spelling)) continue;
        const auto whole = [&](std::string_view name) {
          return std::string(answer.substr(0, number->end)) + " " + std::string(name) +
                 std::string(text.substr(spelling.size()));
        };
        std::vector<std::string_view> same, others;
        for (const std::string_view known : unit) {
          if (known != spelling) same.push_back(known);
        }
        for (const Cells& other : quantity) {
          if (&other != &unit) others.push_back(other[0]);
        }
        return UnitSpellings{same.empty() ? "" : whole(same[below(draw, same.size())]),
                             whole(others[below(mix(draw), others.size())])};
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> with_typo(std::string_view answer) {
  constexpr size_t kLeast = 5;
  size_t longest = 0, length = 0;
  for (size_t begin = 0; begin < answer.size();) {
    size_t end = begin;
    while (end < answer.size() && is_ascii_letter(answer[end])) ++end;
    if (end - begin > length) {
      longest = begin;
      length = end - begin;
    }
    begin = end + 1;
  }
  if (length < kLeast) return std::nullopt;
  for (size_t i = longest + length / 2; i + 1 < longest + length; ++i) {
    if (answer[i] == answer[i + 1]) continue;
    std::string result(answer);
    std::swap(result[i], result[i + 1]);
    return result;
  }
  return std::nullopt;
}

}  // namespace rubric::data
