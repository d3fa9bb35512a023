#include "text/quantities.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <unicode/uchar.h>

#include "core/files/embedded.h"
#include "core/text/ascii.h"
#include "core/text/days.h"
#include "core/text/number_words.h"
#include "core/text/utf8.h"
#include "text/numbers.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

// number: a decimal number by its value, "-3.5". ordinal: "21st". literal: digits with marks
// between them that are no decimal number, "10:30", "2/3". word: all else.
enum class Kind { word, number, ordinal, literal };

// A word or number, and the white space and punctuation before it. The last token of a text has no
// word: its gap is what stands at the end.
struct Token {
  std::string gap, text;
  Kind kind = Kind::word;
  std::string written = {};  // of a number, "3.50" for 3.5, and of one or two capital letters
};
using Tokens = std::span<const Token>;

// What the first tokens of a text say.
struct Phrase {
  size_t tokens = 0;
  std::string text;
  Kind kind = Kind::number;
};

bool is_numeric(const Token& token) {
  return token.kind != Kind::word;
}

// "$" is punctuation, and dropped.
bool is_currency(char32_t c) {
  return c != U'$' && u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL;
}

bool is_currency_sign(const Token& token) {
  size_t end = 0;
  return !token.text.empty() && is_currency(decode_utf8(token.text, end));
}

// "seven" stays a word until normalize_numbers().
bool is_number(const Token& token) {
  return is_numeric(token) || parse_number_word(token.text).has_value();
}

bool is_blank_gap(std::string_view gap) {
  for (size_t i = 0; i < gap.size();) {
    if (!is_python_space(decode_utf8(gap, i))) return false;
  }
  return !gap.empty();
}

// Whether `word` is the month's name or the first letters of it.
bool is_month_name(std::string_view word, std::string_view month) {
  const std::string name = ascii_lower(month);
  return word == name || word == name.substr(0, 3) || (word == "sept" && name == "september");
}

std::string month_of(std::string_view word) {
  const auto* const found = std::ranges::find_if(
      kMonths, [&](std::string_view month) { return is_month_name(word, month); });
  return found == kMonths.end() ? "" : ascii_lower(*found);
}

struct Scale {
  std::string_view word;
  int zeros;
};
constexpr int kZerosOfHundred = 2;  // the one scale that may stand before another
constexpr Scale kScales[] = {{"hundred", kZerosOfHundred},
                             {"thousand", 3},
                             {"million", 6},
                             {"mln", 6},
                             {"billion", 9},
                             {"bn", 9},
                             {"trillion", 12}};

int zeros_of(std::string_view word) {
  const auto* const found = std::ranges::find(kScales, word, &Scale::word);
  return found == std::end(kScales) ? 0 : found->zeros;
}

// ---- A decimal number as text, so that none is too long. ----

// Without zeros that say nothing: "3.5" for "03.50", "0.5" for ".5".
std::string decimal(std::string whole, std::string fraction) {
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (whole.empty()) whole = "0";
  return fraction.empty() ? whole : whole + "." + fraction;
}

// The number times 10^zeros.
std::string shifted(const std::string& number, int zeros) {
  const size_t point = std::min(number.find('.'), number.size());
  std::string fraction = point < number.size() ? number.substr(point + 1) : "";
  const auto places = static_cast<size_t>(zeros);
  if (fraction.size() < places) fraction.append(places - fraction.size(), '0');
  return decimal(number.substr(0, point) + fraction.substr(0, places), fraction.substr(places));
}

// "0.75" for three quarters, "2/3" for two thirds. Others than proper fractions in lowest terms
// stay: "6/8" is no "3/4" in music, "9/9" no 1.
std::string fraction_text(int64_t numerator, int64_t denominator) {
  std::string text = std::to_string(numerator) + "/" + std::to_string(denominator);
  constexpr int64_t kMostDecimals = 6, kGreatest = 1000;
  if (numerator <= 0 || numerator >= denominator || denominator > kGreatest ||
      std::gcd(numerator, denominator) > 1) {
    return text;
  }
  std::string decimals;
  for (int64_t rest = numerator; rest > 0;) {
    if (std::ssize(decimals) == kMostDecimals) return text;
    decimals += static_cast<char>('0' + 10 * rest / denominator);
    rest = 10 * rest % denominator;
  }
  return "0." + decimals;
}

std::string ordinal_text(int64_t number) {
  const int64_t last = number / 10 % 10 == 1 ? 0 : number % 10;
  const char* const ending = last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return std::to_string(number) + ending;
}

// "9:30" for "09" and "30"; nullopt where it is no time of the day.
std::optional<std::string> clock_text(std::string_view hour, std::string_view minute) {
  const std::optional<int64_t> hours = parse_count(hour), minutes = parse_count(minute);
  if (!hours || !minutes || hour.size() > 2 || minute.size() != 2) return std::nullopt;
  if (*hours > 24 || *minutes > 59) return std::nullopt;
  return std::to_string(*hours) + ":" + std::string(minute);
}

// "15 april 1912"; nullopt where it is no day.
std::optional<std::string> day_text(std::string_view day, std::string_view month,
                                    std::string_view year) {
  const std::optional<int> days = parse_day(day);
  const std::optional<int64_t> months = parse_count(month);
  if (!days || !months || *months < 1 || *months > std::ssize(kMonths) || year.size() != 4) {
    return std::nullopt;
  }
  return std::to_string(*days) + " " + ascii_lower(kMonths[static_cast<size_t>(*months) - 1]) +
         " " + std::string(year);
}

// ---- Numbers in digits. ----

// Groups of digits with a mark between each two: "1,234.5". `at` is behind them.
struct Digits {
  std::vector<std::string> groups = {};
  std::string marks = {};
  size_t begin = 0, at = 0;
};

size_t digits_end(std::string_view text, size_t at) {
  while (at < text.size() && is_ascii_digit(text[at])) ++at;
  return at;
}

// Units that stand beside a number without a blank.
const WordList kUnits("text/quantities.tsv", "units");

bool is_unit(std::string_view word) {
  return word.starts_with("\u00b0") || std::ranges::count(kUnits, ascii_lower(word)) > 0;
}

bool is_gap(char32_t c) {
  return is_python_space(c) || is_ascii_punctuation(c);
}

// The end of the word at `at`. Points between its digits are of it: "gpt3.5".
size_t word_end(std::string_view text, size_t at) {
  while (at < text.size()) {
    size_t next = at;
    const char32_t c = decode_utf8(text, next);
    const bool is_point =
        c == '.' && at > 0 && is_ascii_digit(text[at - 1]) && digits_end(text, next) > next;
    if ((is_gap(c) && !is_point) || is_currency(c)) break;
    at = next;
  }
  return at;
}

bool is_currency_at(std::string_view text, size_t at) {
  return at < text.size() && (text[at] == '$' || is_currency(decode_utf8(text, at)));
}

// What may part thousands, by what stands before the number: nothing; apostrophes and blanks other
// than the plain one, which often stands between two numbers; all; or all, and a sign says that one
// number follows.
enum class ThousandsMarks { none, not_plain, all, all_of_amount };

// Whether groups with plain blanks that end at `end` are one number: no number is "000", but
// "100 200", "3 100-meter races" and "555 123-4567" have several.
bool are_plain_thousands(std::string_view text, size_t first_size, size_t end,
                         ThousandsMarks marks) {
  if (text.substr(0, end).ends_with("000")) return true;
  if (marks == ThousandsMarks::not_plain) return false;
  const std::string_view rest = text.substr(end);
  if (rest.starts_with('-') && word_end(text, end + 1) > end + 1) {
    const size_t group = digits_end(text, end + 1);  // the first of "-12 500"
    const bool is_range = group > end + 1 && group <= end + 4 &&
                          text.substr(group).starts_with(' ') &&
                          digits_end(text, group + 1) == group + 4;
    if (!is_range) return false;
  }
  if (first_size < 3 || marks == ThousandsMarks::all_of_amount) return true;
  const bool is_decimal =
      (rest.starts_with('.') || rest.starts_with(',')) && digits_end(text, end + 1) > end + 1;
  const size_t next = end + (rest.starts_with(' ') ? 1 : 0);
  return is_decimal || is_currency_at(text, end) || text.substr(next).starts_with('%') ||
         is_unit(text.substr(next, word_end(text, next) - next));
}

// The end of "12 500", "1 234 567" or "1'234'567" at `begin`: groups of three digits behind one to
// three, with the same blank or apostrophe between each two; `begin` where there is none.
size_t thousands_end(std::string_view text, size_t begin, ThousandsMarks marks) {
  if (marks == ThousandsMarks::none) return begin;
  const size_t first = digits_end(text, begin);
  if (first == begin || first - begin > 3 || text[begin] == '0') return begin;
  for (const std::string_view mark : {" ", "'", "\u2019", "\u00a0", "\u2009", "\u202f"}) {
    const auto group_end = [&](size_t at) {
      return text.substr(at).starts_with(mark) ? digits_end(text, at + mark.size()) : at;
    };
    size_t end = first;
    while (group_end(end) == end + mark.size() + 3) end += mark.size() + 3;
    if (end == first) continue;
    const std::string_view behind = text.substr(end, word_end(text, end) - end);
    const bool is_list = group_end(end) > end + mark.size();                       // "555 123 4567"
    const bool is_word = !behind.empty() && behind[0] != '.' && !is_unit(behind);  // "558 248th"
    const bool is_one =
        mark != " " || are_plain_thousands(text, first - begin, end, marks);  // "100 200"
    return is_list || is_word || !is_one ? begin : end;
  }
  return begin;
}

// Whether the digits at `at` stand behind a hyphen and other digits.
bool has_hyphen_between_digits(std::string_view text, size_t at) {
  return at > 1 && digits_end(text, at) > at && text[at - 1] == '-' && is_ascii_digit(text[at - 2]);
}

Digits read_digits(std::string_view text, size_t begin, ThousandsMarks marks) {
  Digits digits{.begin = begin, .at = begin};
  const auto add_group = [&](size_t group, size_t end) {
    digits.at = end;
    std::string& added = digits.groups.emplace_back();
    std::ranges::copy_if(text.substr(group, end - group), std::back_inserter(added),
                         is_ascii_digit);
  };
  const size_t thousands = thousands_end(text, begin, marks);
  const bool has_blanks = thousands > begin;
  add_group(begin, has_blanks ? thousands : digits_end(text, begin));  // empty before ".5"
  while (digits.at < text.size()) {
    const char mark = text[digits.at];
    const size_t next = digits.at + 1;
    const bool is_mark = std::string_view(".,:/").find(mark) != std::string_view::npos;
    const size_t end = digits_end(text, next);
    const bool is_next_pair = mark == ',' && has_hyphen_between_digits(text, begin) &&
                              has_hyphen_between_digits(text, end + 1);  // "6-4,6-3"
    if (!is_mark || end == next || is_next_pair) break;
    digits.marks += mark;
    add_group(next, digits_end(text, next));
  }
  const bool is_number = digits.marks.empty() || digits.marks == "." || digits.marks == ",";
  return has_blanks && !is_number ? read_digits(text, begin, ThousandsMarks::none) : digits;
}

std::string joined_groups(std::span<const std::string> groups) {
  std::string all;
  for (const std::string& group : groups) all += group;
  return all;
}

// Whether the groups are thousands, "1,234,567", or India's, "12,34,567".
bool are_thousands(std::span<const std::string> groups) {
  const std::string& first = groups.front();
  if (groups.size() < 2 || first.empty() || first.size() > 3 || first[0] == '0') return false;
  if (groups.back().size() != 3) return false;
  const auto middle = groups.subspan(1, groups.size() - 2);
  const auto all_of = [&](size_t size) {
    return std::ranges::all_of(middle, [&](const std::string& one) { return one.size() == size; });
  };
  return all_of(3) || (first.size() <= 2 && all_of(2));
}

// The value where the digits are a decimal number; "1.000" is 1, as English writes it.
std::optional<std::string> number_text(const Digits& digits) {
  const std::span groups(digits.groups);
  const std::string& marks = digits.marks;
  if (marks.empty()) return groups[0];  // zeros in front stay: "007"
  if (marks.find_first_not_of(".,") != std::string::npos) return std::nullopt;
  const bool is_one_mark = marks.find_first_not_of(marks[0]) == std::string::npos;
  const bool is_point = marks == ".";
  if (is_one_mark && !is_point && are_thousands(groups)) return joined_groups(groups);
  if (marks.size() == 1) return decimal(groups[0], groups[1]);
  const auto whole = groups.first(groups.size() - 1);
  const bool has_decimals =
      !is_one_mark && marks.find(marks.back()) == marks.size() - 1 && are_thousands(whole);
  if (!has_decimals) return std::nullopt;
  return decimal(joined_groups(whole), groups.back());
}

// "4/15/1912", "15.04.1912", "1912/04/15", "15-04-1912": nullopt where day and month may be each
// other. Behind a year stands the month; with points the day stands first.
std::optional<std::string> numeric_day(const Digits& digits) {
  const std::vector<std::string>& groups = digits.groups;
  if (digits.marks != "//" && digits.marks != ".." && digits.marks != "--") return std::nullopt;
  if (groups[0].size() == 4) return day_text(groups[2], groups[1], groups[0]);
  std::optional<std::string> day_first = day_text(groups[0], groups[1], groups[2]);
  if (digits.marks == "..") return day_first;
  std::optional<std::string> month_first = day_text(groups[1], groups[0], groups[2]);
  if (day_first && month_first && day_first != month_first) return std::nullopt;
  return day_first ? day_first : month_first;
}

// What "m" stands for in "$5m".
const WordPairs kAmountScales("text/quantities.tsv", "scales of amounts");

std::string_view amount_scale(std::string_view letters) {
  for (const auto& [shorthand, word] : kAmountScales) {
    if (shorthand == letters) return word;
  }
  return "";
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

// The end of the signs behind one or two letters and digits from `begin` to `end`: "O-", "C++",
// "F#", "Ca2+". A hyphen is a sign behind one letter, or two of which the first is a capital.
size_t signs_end(std::string_view text, size_t begin, size_t end) {
  const std::string_view word = text.substr(begin, end - begin);
  const size_t letters = std::min(word.find_first_of("0123456789"), word.size());
  const bool is_short = letters >= 1 && letters <= 2 && digits_end(word, letters) == word.size() &&
                        std::ranges::all_of(word.substr(0, letters), is_ascii_letter);
  if (!is_short || (begin > 0 && std::string_view("-'").find(text[begin - 1]) < 2)) return end;
  size_t last = end;
  while (last < text.size() && text[last] == '+') ++last;
  const bool is_hyphen = word.size() == 1 || is_capital(word[0]);
  if (last == end &&
      (text.substr(end).starts_with('#') || (is_hyphen && text.substr(end).starts_with('-')))) {
    ++last;
  }
  const bool is_joined = last < text.size() && !is_python_space(text[last]) &&
                         std::string_view(".,;:!?)]}\"'/").find(text[last]) == std::string::npos;
  return is_joined || word_end(text, last) > last ? end : last;
}

// Whether the word of `text` behind a blank, as it is written, is a scale of the amount before it:
// "mn", or "M" and "B" where no other word follows. "$5 T shirts" and "$5 B flat" have none.
bool is_scale_behind_blank(std::string_view text, size_t begin, size_t end) {
  const std::string_view word = text.substr(begin, end - begin);
  if (ascii_lower(word) == "mn") return !text.substr(end).starts_with('-');
  if (word != "M" && word != "B") return false;
  size_t next = end;
  while (next < text.size() && is_ascii_punctuation(text[next])) ++next;
  const bool is_joined = next == end + 1 && word_end(text, next) > next;  // "$5 M&Ms"
  return next == text.size() || (next > end && !is_joined);
}

// The word behind a number at `at`, without a blank or, as "a.m." or the "M" of "$5 M", with one,
// in small letters; `at` moves behind it. Of an amount it is a scale where it can be.
std::string read_word_behind(std::string_view text, size_t& at, bool has_currency) {
  const size_t begin = at;
  at = word_end(text, begin);
  std::string word = ascii_lower(text.substr(begin, at - begin));
  if ((word == "a" || word == "p") && ascii_lower(text.substr(at, 2)) == ".m" &&
      word_end(text, at + 1) == at + 2) {
    at += 2;
    return word + "m";
  }
  if (!has_currency && !is_currency_at(text, at)) return word;
  if (!word.empty()) return std::string(amount_scale(word).empty() ? word : amount_scale(word));
  if (!text.substr(at).starts_with(' ')) return word;
  const size_t end = word_end(text, at + 1);
  if (!is_scale_behind_blank(text, at + 1, end)) return word;
  const std::string letters = ascii_lower(text.substr(at + 1, end - at - 1));
  at = end;
  return std::string(amount_scale(letters));
}

// Of the number behind the gap and the token before it. No thousands begin in "F-16 500", "1912 100
// 500" and "April 15 500", and none with plain blanks in "Psalm 119 105".
ThousandsMarks thousands_marks(std::string_view gap, const Token* before) {
  using enum ThousandsMarks;
  const bool is_behind_number = before != nullptr && is_numeric(*before);
  if (is_behind_number && (is_blank_gap(gap) || gap == "'")) return none;
  const bool is_behind_word = before != nullptr && !is_behind_number && !is_currency_sign(*before);
  if (is_behind_word && (gap == "-" || !month_of(before->text).empty())) return none;
  const bool is_minus = is_behind_word && (before->text == "minus" || before->text == "negative");
  if (is_behind_word && is_blank_gap(gap) && !is_minus) return not_plain;
  const bool has_sign = gap.ends_with('$') || gap.ends_with("$ ") ||
                        (gap.ends_with('-') && !is_behind_number) || is_minus ||
                        (before != nullptr && is_currency_sign(*before));
  return has_sign ? all_of_amount : all;
}

// Appends the number that begins at `begin` with what is joined to it, and returns its end.
size_t append_digits(std::string_view text, size_t begin, const std::string& gap,
                     std::vector<Token>& tokens) {
  const Token* const before = tokens.empty() ? nullptr : &tokens.back();
  const ThousandsMarks thousands = thousands_marks(gap, before);
  const Digits digits = read_digits(text, begin, thousands);
  const bool has_currency =
      (!gap.empty() && gap[std::min(gap.find_last_not_of(' '), gap.size() - 1)] == '$') ||
      (before != nullptr && gap.empty() && is_currency_sign(*before));
  size_t end = digits.at;
  const std::string rest = read_word_behind(text, end, has_currency);
  const std::string written(text.substr(begin, digits.at - begin));
  // No decimal number begins with the zero of "1234 050.75".
  const bool is_rest = thousands == ThousandsMarks::none && is_numeric(*before) &&
                       digits.groups[0].size() == 3 && text[begin] == '0' && !digits.marks.empty();
  const std::optional<std::string> number = is_rest ? std::nullopt : number_text(digits);
  const bool is_list = !number && digits.marks.find_first_not_of(',') == std::string::npos;
  if (is_list) {  // "1,2,3"
    for (size_t i = 0; i + 1 < digits.groups.size(); ++i) {
      tokens.push_back({i == 0 ? gap : ",", digits.groups[i], Kind::number, digits.groups[i]});
    }
  }
  std::string first_gap = is_list ? "," : gap;
  const auto push = [&](std::string value, Kind kind) {
    tokens.push_back({std::move(first_gap), std::move(value), kind, written});
  };
  const std::string value = number.value_or(is_list ? digits.groups.back() : written);
  if (!rest.empty() && !is_unit(rest) && zeros_of(rest) == 0) {
    const std::optional<int64_t> count = parse_count(value);
    const bool is_ordinal = rest == "st" || rest == "nd" || rest == "rd" || rest == "th";
    if (count && is_ordinal) {
      push(ordinal_text(*count), Kind::ordinal);
    } else {
      push(value + rest, Kind::literal);  // "1920s", "3d"
      tokens.back().written = tokens.back().text;
    }
    return end;
  }
  if (number || is_list) {
    push(value, Kind::number);
  } else if (const std::optional<std::string> day = numeric_day(digits)) {
    push(*day, Kind::literal);
  } else if (digits.marks == "/") {
    const auto numerator = parse_count(digits.groups[0]),
               denominator = parse_count(digits.groups[1]);
    const std::string fraction =
        numerator && denominator ? fraction_text(*numerator, *denominator) : written;
    push(fraction, fraction.starts_with("0.") ? Kind::number : Kind::literal);
  } else if (digits.marks == ":") {
    push(clock_text(digits.groups[0], digits.groups[1]).value_or(written), Kind::literal);
  } else if (digits.marks.find_first_not_of('.') == std::string::npos &&
             are_thousands(digits.groups)) {
    push(joined_groups(digits.groups), Kind::number);  // "1.000.000"
  } else {
    push(written, Kind::literal);
  }
  if (!rest.empty()) tokens.push_back({" ", rest});
  return end;
}

// "v2.0.1"
bool is_version(std::string_view word) {
  const size_t digits = word.find_first_not_of("0123456789.", 1);
  return (word[0] == 'v' || word[0] == 'V') && digits == std::string_view::npos &&
         word.find('.') < word.size();
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::string gap;
  for (size_t at = 0; at < text.size();) {
    const bool is_fraction = text[at] == '.' && digits_end(text, at + 1) > at + 1 &&
                             (!gap.empty() || tokens.empty()) && !gap.ends_with('.');
    if (is_ascii_digit(text[at]) || is_fraction) {
      at = append_digits(text, at, std::exchange(gap, ""), tokens);
      continue;
    }
    const size_t begin = at;
    const char32_t c = decode_utf8(text, at);
    if (is_gap(c)) {
      gap.append(text, begin, at - begin);
      continue;
    }
    if (!is_currency(c)) at = word_end(text, at);
    if (is_version(text.substr(begin, at - begin))) {
      tokens.push_back({std::exchange(gap, " "), "version"});
      at = begin + 1;
      continue;
    }
    const std::string_view word = text.substr(begin, at - begin);
    at = signs_end(text, begin, at);
    const bool has_signs = at > begin + word.size();
    tokens.push_back({std::exchange(gap, ""), ascii_lower(text.substr(begin, at - begin)),
                      has_signs ? Kind::literal : Kind::word,
                      word == "Rh" || (word.size() <= 2 && std::ranges::all_of(word, is_capital))
                          ? std::string(word)
                          : ""});
  }
  tokens.push_back({gap, ""});
  return tokens;
}

// ---- Numbers in words. The functions that read them move `at` behind the number that begins
// there; where none begins they return nullopt, and `at` stays. ----

struct Denominator {
  std::string_view one, many;
  int64_t value;
};
constexpr Denominator kDenominators[] = {{"half", "halves", 2},      {"third", "thirds", 3},
                                         {"quarter", "quarters", 4}, {"fourth", "fourths", 4},
                                         {"fifth", "fifths", 5},     {"sixth", "sixths", 6},
                                         {"seventh", "sevenths", 7}, {"eighth", "eighths", 8},
                                         {"ninth", "ninths", 9},     {"tenth", "tenths", 10}};

// The token at `at`, where white space alone or one hyphen stands before it.
const Token* joined_at(Tokens tokens, size_t at) {
  if (at >= tokens.size()) return nullptr;
  const bool is_joined = at == 0 || tokens[at].gap == "-" || is_blank_gap(tokens[at].gap);
  return is_joined ? &tokens[at] : nullptr;
}

std::string_view word_at(Tokens tokens, size_t at) {
  const Token* const token = joined_at(tokens, at);
  return token == nullptr ? "" : std::string_view(token->text);
}

int zeros_at(Tokens tokens, size_t at) {
  return zeros_of(word_at(tokens, at));
}

// Moves `at` behind the word where it is there.
bool skip(Tokens tokens, size_t& at, std::string_view word) {
  const bool is_there = word_at(tokens, at) == word;
  at += is_there ? 1 : 0;
  return is_there;
}

std::optional<int64_t> read_below_hundred(Tokens tokens, size_t& at) {
  const std::string_view word = word_at(tokens, at);
  const auto* const tens = std::ranges::find(kTens, word);
  if (tens != std::end(kTens)) {
    const int64_t number = 20 + 10 * (tens - std::begin(kTens));
    const std::optional<int64_t> unit = parse_number_word(word_at(tokens, ++at));
    if (!unit || *unit < 1 || *unit > 9) return number;
    ++at;
    return number + *unit;
  }
  const auto* const teen = std::ranges::find(kTeens, word);
  const std::optional<int64_t> number =
      teen == std::end(kTeens) ? parse_number_word(word) : 13 + (teen - std::begin(kTeens));
  if (number) ++at;
  return number;
}

// "twenty-five", "a hundred and five", "nineteen hundred"
std::optional<int64_t> read_hundreds(Tokens tokens, size_t& at) {
  std::optional<int64_t> number;
  if (word_at(tokens, at) == "a" && zeros_at(tokens, at + 1) > 0) {
    number = 1;
    ++at;
  } else {
    number = read_below_hundred(tokens, at);
  }
  if (!number || zeros_at(tokens, at) != kZerosOfHundred) return number;
  size_t next = ++at;
  skip(tokens, next, "and");
  const std::optional<int64_t> rest = read_below_hundred(tokens, next);
  // Two numbers: "between one hundred and two hundred".
  const bool is_other = zeros_at(tokens, next) == kZerosOfHundred;
  if (!rest || is_other) return 100 * *number;
  at = next;
  return 100 * *number + *rest;
}

std::optional<int64_t> read_cardinal(Tokens tokens, size_t& at) {
  std::optional<int64_t> sum;
  int last_zeros = std::numeric_limits<int>::max();
  for (size_t next = at;;) {
    std::optional<int64_t> group = read_hundreds(tokens, next);
    const int zeros = zeros_at(tokens, next);
    // Scales fall, or it is another number: "between one million and two million".
    if (!group || zeros >= last_zeros) return sum;
    for (int i = 0; i < zeros; ++i) *group *= 10;
    sum = sum.value_or(0) + *group;
    at = next + (zeros > 0 ? 1 : 0);
    if (zeros == 0) return sum;
    last_zeros = zeros;
    next = at;
    skip(tokens, next, "and");
  }
}

// "ten thirty": minutes that are multiples of five from fifteen on, so that "nine eleven" and "five
// ten" stay two numbers.
std::optional<std::string> read_hour_and_minute(Tokens tokens, size_t& at) {
  const std::optional<int64_t> hour = parse_number_word(word_at(tokens, at));
  size_t next = at + 1;
  const std::optional<int64_t> minute = read_below_hundred(tokens, next);
  if (!hour || *hour < 1 || !minute || *minute < 15 || *minute > 55 || *minute % 5 > 0) {
    return std::nullopt;
  }
  if (zeros_at(tokens, next) > 0 || tokens[next].gap == "-") return std::nullopt;
  at = next;
  return clock_text(std::to_string(*hour), std::to_string(*minute));
}

// "half past ten", "quarter to ten", "twenty past ten", "five minutes to ten"
std::optional<std::string> read_part_of_hour(Tokens tokens, size_t& at) {
  size_t next = at;
  const bool is_half = skip(tokens, next, "half"), is_quarter = skip(tokens, next, "quarter");
  std::optional<int64_t> minute = is_half ? 30 : 15;
  if (!is_half && !is_quarter) minute = read_below_hundred(tokens, next);
  if (!minute || *minute < 1 || *minute > 30 || *minute % 5 > 0) return std::nullopt;
  const bool may_be_to = skip(tokens, next, "minutes") || is_quarter;
  const bool is_past = skip(tokens, next, "past");
  if (!is_past && !(may_be_to && skip(tokens, next, "to"))) return std::nullopt;
  const std::string_view word = word_at(tokens, next);
  std::optional<int64_t> hour = parse_number_word(word);
  if (!hour) hour = parse_count(word);
  if (!hour || *hour < 1 || *hour > 24) return std::nullopt;
  if (!is_past) *hour = *hour == 1 ? 12 : *hour - 1;
  at = next + 1;
  const std::string minutes = std::to_string(is_past ? *minute : 60 - *minute);
  return clock_text(std::to_string(*hour), minutes.size() < 2 ? "0" + minutes : minutes);
}

// "nineteen forty-five", "twenty twelve", "nineteen oh five"; of the centuries eleven and twelve
// what is no time of the day
std::optional<int64_t> read_year(Tokens tokens, size_t& at) {
  size_t next = at;
  const std::optional<int64_t> century = read_below_hundred(tokens, next);
  if (!century || *century < 11 || *century > 20) return std::nullopt;
  const bool has_zero = skip(tokens, next, "oh");
  const std::optional<int64_t> year = read_below_hundred(tokens, next);
  const bool is_year = year && (has_zero ? *year >= 1 && *year <= 9 : *year >= 10);
  if (!is_year || zeros_at(tokens, next) > 0) return std::nullopt;
  if (*century <= 12 && *year < 60) return std::nullopt;
  at = next;
  return 100 * *century + *year;
}

// "first", "twentieth", "twenty-first"
std::optional<int64_t> read_ordinal_below_hundred(Tokens tokens, size_t& at) {
  const std::string_view word = word_at(tokens, at);
  if (const auto* const found = std::ranges::find(kOrdinals, word); found != std::end(kOrdinals)) {
    ++at;
    return 1 + (found - std::begin(kOrdinals));
  }
  for (size_t i = 0; i < std::size(kTens); ++i) {
    const std::string_view tens = kTens[i];
    const auto number = static_cast<int64_t>(20 + 10 * i);
    if (word.ends_with("ieth") &&
        word.substr(0, word.size() - 4) == tens.substr(0, tens.size() - 1)) {
      ++at;
      return number;
    }
    if (word != tens) continue;
    const auto* const unit = std::ranges::find(kOrdinals, word_at(tokens, at + 1));
    const auto digit = 1 + (unit - std::begin(kOrdinals));
    if (digit > 9) return std::nullopt;
    at += 2;
    return number + digit;
  }
  return std::nullopt;
}

// "one hundred and twenty-first", too
std::optional<int64_t> read_ordinal(Tokens tokens, size_t& at) {
  size_t next = at;
  if (const auto number = read_ordinal_below_hundred(tokens, at)) return number;
  const std::optional<int64_t> hundreds = read_cardinal(tokens, next);
  if (!hundreds || *hundreds < 20 || *hundreds % 10 > 0) return std::nullopt;
  if (*hundreds % 100 == 0) skip(tokens, next, "and");
  const auto rest = read_ordinal_below_hundred(tokens, next);
  if (!rest || (*hundreds % 100 > 0 && (*hundreds % 100 == 10 || *rest > 9))) return std::nullopt;
  at = next;
  return *hundreds + *rest;
}

// "three quarters", "one third", "a third of"; "half" and "a quarter" where `is_all` of the text is
// that
std::optional<std::string> read_fraction(Tokens tokens, size_t& at, bool is_all) {
  const auto of = [&](size_t place, bool is_one) {
    const auto word = word_at(tokens, place);
    const auto* const found =
        std::ranges::find(kDenominators, word, is_one ? &Denominator::one : &Denominator::many);
    return found == std::end(kDenominators) ? 0 : found->value;
  };
  size_t next = at;
  const bool has_article = skip(tokens, next, "a");
  const bool is_half = word_at(tokens, next) == "half";
  if (const int64_t denominator = of(next, true)) {
    const bool is_of = word_at(tokens, next + 1) == "of";
    const bool is_rest = is_all && next + 2 == tokens.size();
    const bool is_scaled =
        zeros_at(tokens, next + 1) > 0 && (is_half || word_at(tokens, next) == "quarter");
    if (!(has_article || is_half) || !(is_of || is_rest || is_scaled)) return std::nullopt;
    at = next + 1;
    return fraction_text(1, denominator);
  }
  if (has_article) return std::nullopt;
  const std::optional<int64_t> numerator = read_below_hundred(tokens, next);
  const int64_t denominator = numerator ? of(next, *numerator == 1) : 0;
  if (denominator == 0) return std::nullopt;
  at = next + 1;
  return fraction_text(*numerator, denominator);
}

// "and a half": ".5"; "" where there is none.
std::string read_half(Tokens tokens, size_t& at) {
  size_t next = at;
  if (!skip(tokens, next, "and")) return "";
  if (skip(tokens, next, "three")) {
    if (!skip(tokens, next, "quarters")) return "";
    at = next;
    return ".75";
  }
  if (!skip(tokens, next, "a") && !skip(tokens, next, "one")) return "";
  const bool is_half = skip(tokens, next, "half");
  if (!is_half && !skip(tokens, next, "quarter")) return "";
  at = next;
  return is_half ? ".5" : ".25";
}

// "point one four": ".14"; "" where there is none.
std::string read_decimals(Tokens tokens, size_t& at) {
  size_t next = at;
  if (!skip(tokens, next, "point")) return "";
  std::string digits;
  while (const auto digit = parse_number_word(word_at(tokens, next))) {
    if (*digit > 9) break;
    digits += std::to_string(*digit);
    ++next;
  }
  if (digits.empty()) return "";
  at = next;
  return "." + digits;
}

std::string plus(const std::string& whole, const std::string& decimals) {
  return decimal(whole, decimals.empty() ? "" : decimals.substr(1));
}

// The number times the scale that follows, with the half of "two million and a half", which is one
// of a million; that of "two hundred and a half" is one of 1.
std::string scaled(Tokens tokens, size_t& at, std::string number) {
  const int zeros = zeros_at(tokens, at);
  if (zeros == 0) return number;
  ++at;
  const bool is_whole = number.find('.') == std::string::npos;
  if (zeros == kZerosOfHundred) number = shifted(number, zeros);
  if (is_whole) number = plus(number, read_half(tokens, at));
  return zeros == kZerosOfHundred ? number : shifted(number, zeros);
}

// "half a million", "three quarters of a million"
std::optional<Phrase> scaled_fraction(Tokens tokens, size_t at, const std::string& fraction) {
  skip(tokens, at, "of");
  skip(tokens, at, "a");
  if (!fraction.starts_with("0.") || zeros_at(tokens, at) == 0) return std::nullopt;
  return Phrase{.tokens = at + 1, .text = shifted(fraction, zeros_at(tokens, at))};
}

std::optional<Phrase> fraction_phrase(Tokens tokens, bool is_all) {
  size_t at = 0;
  const std::optional<std::string> fraction = read_fraction(tokens, at, is_all);
  if (fraction) {
    if (auto scaled = scaled_fraction(tokens, at, *fraction)) return scaled;
    const bool is_number = fraction->starts_with("0.");
    return Phrase{
        .tokens = at, .text = *fraction, .kind = is_number ? Kind::number : Kind::literal};
  }
  if (word_at(tokens, 0) == "half") return scaled_fraction(tokens, 1, "0.5");
  return std::nullopt;
}

// A number in digits with what follows: "2 1/2", "2 and a half", "1.2 million".
std::optional<Phrase> digits_phrase(Tokens tokens) {
  if (tokens[0].kind != Kind::number) return std::nullopt;
  size_t at = 1;
  std::string number = tokens[0].text;
  if (number.find('.') == std::string::npos) {
    const Token* const next = joined_at(tokens, 1);
    const bool is_fraction = next != nullptr && next->kind == Kind::number &&
                             next->written.find('/') != std::string::npos;
    const std::string rest = is_fraction ? next->text.substr(1) : read_half(tokens, at);
    if (is_fraction) ++at;
    if (at > 1) number = plus(number, rest);
  }
  number = scaled(tokens, at, number);
  return at == 1 ? std::nullopt : std::optional(Phrase{.tokens = at, .text = number});
}

std::optional<Phrase> words_phrase(Tokens tokens) {
  size_t at = 0;
  std::optional<int64_t> number = read_year(tokens, at);
  if (number) return Phrase{.tokens = at, .text = std::to_string(*number)};
  number = read_cardinal(tokens, at);
  if (!number) return std::nullopt;
  const int last_zeros = zeros_at(tokens, at - 1);
  const int zeros = last_zeros == kZerosOfHundred ? 0 : last_zeros;  // as scaled() says
  int64_t unit = 1;
  for (int i = 0; i < zeros; ++i) unit *= 10;
  std::string text = std::to_string(*number);
  if (const std::string half = read_half(tokens, at); !half.empty()) {
    text = shifted(plus(std::to_string(*number / unit), half), zeros);
  } else {
    text = plus(text, read_decimals(tokens, at));
  }
  if (zeros == 0) text = scaled(tokens, at, text);
  // normalize_numbers() knows the numbers to twelve where they are whole words.
  if (at == 1 && *number <= 12 && tokens[1].gap != "-") return std::nullopt;
  return Phrase{.tokens = at, .text = text};
}

// `before` is the token before the first, if there is one.
std::optional<Phrase> number_phrase(Tokens tokens, const Token* before) {
  size_t at = 0;
  if (auto clock = read_part_of_hour(tokens, at)) {
    return Phrase{.tokens = at, .text = *clock, .kind = Kind::literal};
  }
  if (auto clock = read_hour_and_minute(tokens, at)) {
    return Phrase{.tokens = at, .text = *clock, .kind = Kind::literal};
  }
  if (auto phrase = fraction_phrase(tokens, before == nullptr)) return phrase;
  const bool is_time = tokens[0].text == "second" && before != nullptr && is_number(*before);
  if (const auto ordinal = is_time ? std::nullopt : read_ordinal(tokens, at)) {
    return Phrase{.tokens = at, .text = ordinal_text(*ordinal), .kind = Kind::ordinal};
  }
  if (auto phrase = digits_phrase(tokens)) return phrase;
  return words_phrase(tokens);
}

// ---- Signs. ----

// Whether the gap before a number ends with its sign, and no range or hyphen: "-5", "$-5", "(-5".
bool ends_with_sign(std::string_view gap, const Token* before) {
  while (gap.ends_with('$')) gap.remove_suffix(1);
  if (!gap.ends_with('-')) return false;
  gap.remove_suffix(1);
  while (gap.ends_with('$')) gap.remove_suffix(1);
  if (before == nullptr) return gap.empty() || !gap.ends_with('-');
  const bool is_range = is_number(*before) && is_blank_gap(gap);
  if (gap.empty()) return is_currency_sign(*before);
  const bool is_joined = std::string_view("-.%)]}!?").find(gap.back()) != std::string_view::npos;
  return !is_joined && !is_range;
}

// Whether "minus" or "negative" is the sign of what follows: "minus five", "minus $5".
bool is_sign_word(Tokens tokens, const Token* before) {
  if (tokens[0].text != "minus" && tokens[0].text != "negative") return false;
  if (before != nullptr && is_number(*before) && is_blank_gap(tokens[0].gap)) return false;
  std::string_view gap = tokens[1].gap;
  while (gap.ends_with('$')) gap.remove_suffix(1);
  if (gap != "-" && !is_blank_gap(gap)) return false;
  const Tokens rest = tokens.subspan(is_currency_sign(tokens[1]) ? 2 : 1);
  const std::optional<Phrase> phrase = number_phrase(rest, nullptr);
  if (phrase) return phrase->kind != Kind::ordinal && is_ascii_digit(phrase->text[0]);
  return is_number(rest[0]) && rest[0].kind != Kind::ordinal;
}

void set_sign(Token& token) {
  if (const auto small = parse_number_word(token.text)) {
    token.text = std::to_string(*small);
    token.kind = Kind::number;
  }
  if (token.kind != Kind::ordinal && token.text != "0" && is_ascii_digit(token.text[0])) {
    token.text.insert(0, "-");
  }
}

// "5 €" as "€5", where the sign of the currency is the last token: it stands before its number.
void put_currency_first(std::vector<Token>& tokens, const Token& next) {
  if (tokens.size() < 2 || !is_currency_sign(tokens.back())) return;
  Token &number = tokens[tokens.size() - 2], &sign = tokens.back();
  const bool has_sign = tokens.size() > 2 && is_currency_sign(tokens[tokens.size() - 3]);
  const bool is_of_next = is_number(next) && !is_blank_gap(next.gap);  // "5 €10"
  const bool is_close = sign.gap.empty() || (is_blank_gap(sign.gap) && !is_of_next);
  if (number.kind != Kind::number || has_sign || !is_close) return;
  sign.gap = std::exchange(number.gap, "");
  std::swap(number, sign);
}

// The tokens with each number as one.
std::vector<Token> with_numbers(const std::vector<Token>& tokens) {
  std::vector<Token> result;
  for (size_t at = 0; at < tokens.size();) {
    const Token* const before = result.empty() ? nullptr : &result.back();
    const bool has_sign_word = is_sign_word(Tokens(tokens).subspan(at), before);
    const std::string sign = has_sign_word ? tokens[at++].gap + " -" : "";
    const Tokens rest = Tokens(tokens).subspan(at);
    Token token = rest.front();
    if (has_sign_word) token.gap = sign;
    const auto phrase = number_phrase(rest, has_sign_word ? nullptr : before);
    if (phrase) {
      const bool is_word = token.kind == Kind::word;
      token.text = phrase->text;
      token.kind = phrase->kind;
      if (is_word || phrase->tokens > 1) token.written = token.text;
    }
    at += phrase ? phrase->tokens : 1;
    // Of "-£5" the sign stands before the currency.
    const bool is_behind_currency = before != nullptr && token.gap.empty() && !is_numeric(*before);
    const Token* const earlier = result.size() < 2 ? nullptr : &result[result.size() - 2];
    const bool is_negative =
        is_number(token) && (ends_with_sign(token.gap, before) ||
                             (is_behind_currency && ends_with_sign(before->gap, earlier)));
    if (is_negative) set_sign(token);
    result.push_back(std::move(token));
    if (at < tokens.size()) put_currency_first(result, tokens[at]);
  }
  return result;
}

// ---- Days and times. ----

// Whether a gap has nothing but white space and `marks`.
bool has_only(std::string_view gap, std::string_view marks) {
  for (size_t i = 0; i < gap.size();) {
    const char32_t c = decode_utf8(gap, i);
    const bool is_mark = c < 0x80 && marks.find(static_cast<char>(c)) != marks.npos;
    if (!is_mark && !is_python_space(c)) return false;
  }
  return true;
}

std::string_view text_at(Tokens tokens, size_t at) {
  return at < tokens.size() ? std::string_view(tokens[at].text) : "";
}

bool follows(Tokens tokens, size_t at, std::string_view marks) {
  return at < tokens.size() && has_only(tokens[at].gap, marks);
}

// Digits without a mark, behind `gap`.
bool has_digits(Tokens tokens, size_t at, std::string_view gap) {
  if (at >= tokens.size() || tokens[at].kind != Kind::number) return false;
  return parse_count(tokens[at].text) && tokens[at].gap == gap;
}

// "1912-04-15", "15-04-1912", "15. 4. 1912"; "1912-04"
std::optional<Phrase> numeric_day(Tokens tokens) {
  const std::string gap = tokens.size() > 1 ? tokens[1].gap : "";
  if ((gap != "-" && gap != ". ") || !has_digits(tokens, 0, tokens[0].gap) ||
      !has_digits(tokens, 1, gap)) {
    return std::nullopt;
  }
  const std::string &first = tokens[0].text, &second = tokens[1].text;
  const bool is_year_first = first.size() == 4;
  const bool is_iso = gap == "-" && is_year_first && second.size() == 2;
  if (is_year_first && !is_iso) return std::nullopt;
  if (has_digits(tokens, 2, gap)) {
    const std::string& third = tokens[2].text;
    if (is_iso && third.size() != 2) return std::nullopt;
    auto day = numeric_day({.groups = {first, second, third}, .marks = {gap[0], gap[0]}});
    if (!day) return std::nullopt;
    return Phrase{.tokens = 3, .text = *std::move(day), .kind = Kind::literal};
  }
  const auto month = day_text("1", second, first);
  // "2003-04" may be two years.
  if (!is_iso || !month || second > first.substr(2) || tokens[2].gap.starts_with('-'))
    return std::nullopt;
  return Phrase{.tokens = 2, .text = month->substr(2), .kind = Kind::literal};
}

// "april 15th", "apr. 15"; or a month alone
std::optional<Phrase> month_first(Tokens tokens) {
  const std::string month = month_of(text_at(tokens, 0));
  if (month.empty()) return std::nullopt;
  const bool has_article = text_at(tokens, 1) == "the" && follows(tokens, 1, "");
  const size_t at = has_article ? 2 : 1;  // "april the 15th"
  const std::optional<int> day =
      follows(tokens, at, ".") ? parse_day(text_at(tokens, at)) : std::nullopt;
  return day ? Phrase{.tokens = at + 1, .text = std::to_string(*day) + " " + month}
             : Phrase{.tokens = 1, .text = month};
}

// "15th april", "15 of apr"
std::optional<Phrase> day_first(Tokens tokens) {
  const std::optional<int> day = parse_day(text_at(tokens, 0));
  const size_t at = text_at(tokens, 1) == "of" ? 2 : 1;
  if (!day || !follows(tokens, 1, "-") || !follows(tokens, at, "-")) return std::nullopt;
  const std::string month = month_of(text_at(tokens, at));
  if (month.empty()) return std::nullopt;
  return Phrase{.tokens = at + 1, .text = std::to_string(*day) + " " + month};
}

std::optional<Phrase> day_phrase(Tokens tokens) {
  std::optional<Phrase> phrase = numeric_day(tokens);
  if (phrase) return phrase;
  phrase = month_first(tokens);
  if (!phrase) phrase = day_first(tokens);
  if (!phrase) return std::nullopt;
  const std::string_view next = text_at(tokens, phrase->tokens);
  if (next.size() == 4 && parse_count(next) && follows(tokens, phrase->tokens, ".,-")) {
    phrase->text.append(" ").append(next);
    ++phrase->tokens;
  }
  if (phrase->tokens == 1) return std::nullopt;  // "may" and "march" are other words, too
  phrase->kind = Kind::literal;
  return phrase;
}

// Words behind an hour, and the half of the day that they say: "" none, "?" that of the next night.
const WordPairs kHourWords("text/quantities.tsv", "words behind an hour");

// How many tokens from `at` on are the words, which may have points and apostrophes between them,
// and `marks` before them.
size_t count_of_words(Tokens tokens, size_t at, std::string_view words,
                      std::string_view marks = "") {
  size_t count = 0;
  for (std::string_view rest = words; !rest.empty(); ++count) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (text_at(tokens, at + count) != word ||
        !follows(tokens, at + count, count > 0 ? ".'" : marks))
      return 0;
  }
  return count;
}

// "10:30" for the hour or clock that is the token; nullopt where it is none.
std::optional<std::string> clock_of(const Token& token) {
  if (const size_t point = token.written.find('.'); point < token.written.size()) {
    return clock_text(token.written.substr(0, point), token.written.substr(point + 1));
  }
  if (token.kind == Kind::literal) {
    const size_t colon = token.text.find(':');
    return colon < token.text.size()
               ? clock_text(token.text.substr(0, colon), token.text.substr(colon + 1))
               : std::nullopt;
  }
  std::optional<int64_t> hour = parse_number_word(token.text);
  if (!hour) hour = token.kind == Kind::number ? parse_count(token.text) : std::nullopt;
  return hour ? clock_text(std::to_string(*hour), "00") : std::nullopt;
}

// "10:00am" for "10 a.m." and "ten in the morning", "10:30pm" for "10.30 pm", "8:00" for "8
// o'clock", "12:00pm" for "noon" alone or behind "at"
std::optional<Phrase> time_phrase(Tokens tokens, const Token* before) {
  size_t at = tokens[0].text == "at" && follows(tokens, 1, "") ? 1 : 0;
  const std::string_view word = text_at(tokens, at);
  if (word == "noon" || word == "midnight") {
    if (at == 0 && (before != nullptr || tokens.size() > 2)) return std::nullopt;
    return Phrase{
        .tokens = at + 1, .text = word == "noon" ? "12:00pm" : "12:00am", .kind = Kind::literal};
  }
  const std::optional<std::string> clock = clock_of(tokens[at++]);
  if (!clock) return std::nullopt;
  const auto hour = *parse_count(clock->substr(0, clock->find(':')));
  const size_t first = at;
  std::string half;
  for (const auto& [words, says] : kHourWords) {
    const bool is_twelve = words == "noon" || words == "midnight";
    const size_t count =
        half.empty() && (!is_twelve || hour == 12) ? count_of_words(tokens, at, words) : 0;
    at += count;
    if (count > 0) half = says == "?" ? (hour >= 5 && hour < 12 ? "pm" : "am") : says;
  }
  if (at == first) return std::nullopt;
  const std::string of_twelve =
      std::to_string(hour % 12 == 0 ? 12 : hour % 12) + clock->substr(clock->find(':'));
  return Phrase{
      .tokens = at, .text = half.empty() ? *clock : of_twelve + half, .kind = Kind::literal};
}

// "6ft2in" for "6 ft 2 in", "6 feet 2 inches", "6-foot-2" and "6'2\"": one word, because the order
// counts
std::optional<Phrase> feet_phrase(Tokens tokens) {
  constexpr int64_t kMostInches = 11;
  const auto count_at = [&](size_t at) {
    const std::string_view word = text_at(tokens, at);
    const std::optional<int64_t> count = parse_number_word(word);
    return count ? count : parse_count(word);
  };
  const std::string_view unit = text_at(tokens, 1);
  const bool has_unit = unit == "ft" || unit == "feet" || unit == "foot";
  const bool has_quote = !has_unit && unit.size() <= 2 && tokens.size() > 2 && tokens[1].gap == "'";
  const size_t last = has_unit ? 2 : 1;
  const std::optional<int64_t> feet = count_at(0), inches = count_at(last);
  if (!feet || *feet > 99 || !inches || *inches > kMostInches) return std::nullopt;
  size_t end = last + 1;
  if (has_quote) {
    if (tokens[end].gap.starts_with("'") && !tokens[end].gap.starts_with("''")) return std::nullopt;
  } else {
    if (!has_unit || !follows(tokens, 1, "-") || !follows(tokens, 2, ".,-")) return std::nullopt;
    const std::string_view of_inches = text_at(tokens, end);
    const bool is_inches = of_inches == "in" || of_inches == "inch" || of_inches == "inches";
    if (is_inches && follows(tokens, end, "-"))
      ++end;
    else if (is_blank_gap(tokens[end].gap))
      return std::nullopt;  // "6 feet 2 people"
  }
  return Phrase{.tokens = end,
                .text = std::to_string(*feet) + "ft" + std::to_string(*inches) + "in",
                .kind = Kind::literal};
}

// Words of a sign behind capital letters: "AB positive", "C sharp".
const WordPairs kSignWords("text/quantities.tsv", "words of signs");

// "ab+" for "AB positive" where no other word follows: "A positive number" has none.
std::optional<Phrase> signed_phrase(Tokens tokens) {
  if (tokens[0].kind != Kind::word || tokens[0].written.empty()) return std::nullopt;
  for (const auto& [words, sign] : kSignWords) {
    const size_t end = 1 + count_of_words(tokens, 1, words);
    if (end == 1) continue;
    const std::string_view next = text_at(tokens, end);
    const bool is_end = end + 1 == tokens.size() || !is_blank_gap(tokens[end].gap);
    if (!is_end && next != "blood" && next != "type" && next != "major" && next != "minor")
      continue;
    return Phrase{.tokens = end, .text = tokens[0].text + std::string(sign), .kind = Kind::literal};
  }
  return std::nullopt;
}

std::optional<Phrase> day_or_value(Tokens tokens, const Token* before) {
  std::optional<Phrase> phrase = day_phrase(tokens);
  if (!phrase) phrase = time_phrase(tokens, before);
  if (!phrase) phrase = feet_phrase(tokens);
  return phrase ? phrase : signed_phrase(tokens);
}

// ---- Numbers whose order counts: ranges, scores and comparisons. ----

// A number or a time that may be of a range, and what it is there.
std::optional<std::string> end_of_range(const Token& token) {
  if (const auto small = parse_number_word(token.text)) return std::to_string(*small);
  const bool is_clock = token.kind == Kind::literal && token.text.find(':') < token.text.size();
  const bool is_end = (token.kind == Kind::number || is_clock) && is_ascii_digit(token.text[0]);
  return is_end ? std::optional(token.text) : std::nullopt;
}

// The words of a comparison, and its sign. Of two that begin alike the longer stands first.
const WordPairs kComparisons("text/quantities.tsv", "comparisons");

// Behind a number, or behind it and its unit: "5 or more", "18 years and older".
const WordPairs kComparisonsBehind("text/quantities.tsv", "comparisons behind");

// Before a comparison with ">" or "<", whose opposite it makes: "no more than" is "at most".
constexpr std::string_view kNegations[] = {"no", "not", "never"};

// "less-than" for "less than"
std::string hyphenated(std::string_view words) {
  std::string text(words);
  std::ranges::replace(text, ' ', '-');
  return text;
}

// The sign with which a comparison begins at the end of the gap before a number, "p < 0.05": the
// words of it, "less-than-"; "" where there is none.
std::string comparison_of(std::string_view gap) {
  const size_t end = gap.find_last_not_of(" $-") + 1;
  if (end == 0) return "";
  const size_t begin = gap.find_last_not_of("<>=", end - 1) + 1;
  const std::string_view sign = gap.substr(begin, end - begin);
  if (begin > 0 && gap[begin - 1] == '-') return "";
  if (sign == ">=" || sign == "<=") return sign == ">=" ? "at-least-" : "at-most-";
  return sign == ">" ? "more-than-" : sign == "<" ? "less-than-" : "";
}

// How many of the first tokens are the words of a comparison.
size_t comparison_size(Tokens tokens) {
  const size_t first = std::ranges::count(kNegations, text_at(tokens, 0)) > 0 ? 1 : 0;
  for (const auto& [words, sign] : kComparisons) {
    const size_t count = count_of_words(tokens, first, words, first == 0 ? ",;:.!?()[]\"" : "");
    if (count > 0) return first == 0 || sign.size() == 1 ? first + count : 0;
  }
  return 0;
}

// "5-or-more" for "5 or more", "5-or-more years" for "5 years or more".
std::optional<Phrase> compared_behind(Tokens tokens, const std::string& number) {
  const bool has_percent = follows(tokens, 1, "%") && !follows(tokens, 1, "");
  const bool has_unit = !has_percent && follows(tokens, 1, "") && !is_numeric(tokens[1]) &&
                        tokens[1].text != "more";  // "5 more or less"
  const std::string unit = has_percent ? " percent" : has_unit ? " " + tokens[1].text : "";
  for (const auto& [words, sign] : kComparisonsBehind) {
    const size_t beside = count_of_words(tokens, 1, words, "%");
    const size_t behind = has_unit ? count_of_words(tokens, 2, words) : 0;
    const size_t end = beside > 0 ? 1 + beside : 2 + behind;
    const std::string_view next = word_at(tokens, end);
    if (beside + behind == 0 || next == "to" || next == "than") continue;  // "5 and up to 9"
    return Phrase{.tokens = end,
                  .text = number + "-" + hyphenated(words) + (beside > 0 && has_unit ? "" : unit),
                  .kind = Kind::literal};
  }
  return std::nullopt;
}

constexpr std::string_view kRangeWords[] = {"to", "until", "till", "through"};

// One word whose order counts: "3-5" for "3 - 5", "3-to-5" for "3 to 5", "3-and-5" behind
// "between", "more-than-5" for "more than 5" and ">5". compared_quantities() parts it.
std::optional<Phrase> ordered_phrase(Tokens tokens, const Token* before) {
  Phrase phrase{.tokens = comparison_size(tokens), .text = "", .kind = Kind::literal};
  for (size_t at = 0; at < phrase.tokens; ++at) phrase.text += tokens[at].text + "-";
  const size_t first = phrase.tokens;
  if (first > 0 && !follows(tokens, first, "$")) return std::nullopt;
  std::optional<std::string> number =
      first < tokens.size() ? end_of_range(tokens[first]) : std::nullopt;
  if (!number) return std::nullopt;
  if (first == 0) phrase.text = comparison_of(tokens[0].gap);
  phrase.text += *number;
  phrase.tokens = first + 1;
  const bool is_between = before != nullptr && before->text == "between";
  for (size_t at = first + 1; at < tokens.size(); at = phrase.tokens) {
    const std::string_view word = tokens[at].text;
    const bool has_word =
        std::ranges::count(kRangeWords, word) > 0 || (is_between && word == "and");
    const bool is_hyphen = std::ranges::count(tokens[at].gap, '-') == 1;
    const size_t end = at + (has_word ? 1 : 0);
    if (!follows(tokens, at, "-$") || !follows(tokens, end, "-$") || !(has_word || is_hyphen))
      break;
    const std::string last = *std::exchange(number, end_of_range(tokens[end]));
    if (!number) break;
    const bool is_year = last.size() == 4 && number->size() == 2 && *number > last.substr(2);
    const bool is_last = !tokens[end + 1].gap.starts_with('-');
    if (is_year && is_last && digits_end(last, 0) == 4) number->insert(0, last, 0, 2);  // "1914-18"
    phrase.text += "-" + (has_word ? std::string(word) + "-" : "") + *number;
    phrase.tokens = end + 1;
  }
  const bool is_bare = phrase.tokens == 1 && phrase.text.find('-') == std::string::npos;
  if (is_bare) return compared_behind(tokens, phrase.text);
  return phrase.text.find('-') < phrase.text.size() ? std::optional(phrase) : std::nullopt;
}

// The tokens with each phrase as one.
std::vector<Token> with_phrases(const std::vector<Token>& tokens,
                                std::optional<Phrase> (*phrase_of)(Tokens, const Token*)) {
  std::vector<Token> result;
  for (size_t at = 0; at < tokens.size();) {
    const Tokens rest = Tokens(tokens).subspan(at);
    const auto phrase = phrase_of(rest, result.empty() ? nullptr : &result.back());
    result.push_back(rest.front());
    if (phrase) result.back() = {rest.front().gap, phrase->text, phrase->kind, phrase->text};
    at += phrase ? phrase->tokens : 1;
  }
  return result;
}

// ---- The text before and behind. ----

// Marks of a number, and what stands for them while normalize_numbers() drops punctuation.
constexpr std::string_view kMarks = ".-/:+#", kKept = "\x01\x02\x03\x04\x05\x06";

// Stands for the "a" of "A+", which is no article.
constexpr std::string_view kNoArticle = "\u1d00";

// Characters in ASCII, wherever they stand; behind a digit with a blank before them.
const WordPairs kSpellings("text/quantities.tsv", "spellings");

// Marks of numbers of other scripts.
const WordPairs kOtherMarks("text/quantities.tsv", "other marks");

// 0 to 9 for a decimal digit of any script, and else -1.
int digit_of(char32_t c) {
  return u_charDigitValue(static_cast<UChar32>(c));
}

bool is_digit_at(std::string_view text, size_t at) {
  return at < text.size() && digit_of(decode_utf8(text, at)) >= 0;
}

bool is_hyphen(char32_t c) {  // or the minus sign, or the dash of "1990–95"
  return c == U'-' || (c >= U'\u2010' && c <= U'\u2013') || c == U'−' || c == U'﹣' || c == U'－';
}

// What a character other than ASCII's is in ASCII, or "".
std::string ascii_of(const WordPairs& table, std::string_view character) {
  if (character.size() == 1) return "";
  for (const auto& [known, ascii] : table) {
    if (known == character) return ascii;
  }
  return "";
}

// With ASCII's digits, "-" for each dash, marks of numbers in ASCII where a digit
// is beside them, and "1/2" for "½".
std::string folded(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t c = decode_utf8(text, at);
    const bool is_behind_digit = !result.empty() && is_ascii_digit(result.back());
    const std::string mark = ascii_of(kOtherMarks, text.substr(begin, at - begin)),
                      spelling = ascii_of(kSpellings, text.substr(begin, at - begin));
    if (const int digit = digit_of(c); digit >= 0) {
      result += static_cast<char>('0' + digit);
    } else if (is_hyphen(c)) {
      size_t next = at;
      const bool has_sign = c != U'-' && at < text.size() && is_hyphen(decode_utf8(text, next)) &&
                            is_digit_at(text, next);
      result += has_sign ? "- " : "-";  // "-5–-3"
    } else if (c == U'—' || c == U'―') {
      result += is_behind_digit && is_digit_at(text, at) ? "-" : " - ";
    } else if (!mark.empty() && (is_behind_digit || is_digit_at(text, at))) {
      result += mark;
    } else if (!spelling.empty()) {
      if (is_behind_digit) result += ' ';
      result += spelling;
    } else if (kKept.find(text[begin]) == std::string_view::npos) {
      result.append(text, begin, at - begin);
    }
  }
  return result;
}

bool has_space(std::string_view gap) {
  for (size_t i = 0; i < gap.size();) {
    if (is_python_space(decode_utf8(gap, i))) return true;
  }
  return false;
}

// Whether two tokens without white space between them are two words: numbers, a number and the sign
// of a currency, and the words with the hyphens of "thirty-to-forty".
bool are_two_words(Tokens tokens, size_t i) {
  const auto is_number_at = [&](size_t at) { return at < tokens.size() && is_number(tokens[at]); };
  if (i == 0 || has_space(tokens[i].gap)) return false;
  if (is_number_at(i) && (is_number_at(i - 1) || tokens[i].gap.ends_with('$'))) return true;
  if (!comparison_of(tokens[i].gap).empty()) return is_numeric(tokens[i]);  // "p<0.05"
  if (is_currency_sign(tokens[i]) || (is_numeric(tokens[i]) && is_currency_sign(tokens[i - 1]))) {
    return true;
  }
  const auto has_hyphen = [&](size_t at) { return at < tokens.size() && tokens[at].gap == "-"; };
  const bool is_to = has_hyphen(i + 1) && is_number_at(i - 1) && is_number_at(i + 1);
  const bool is_behind_to = i > 1 && has_hyphen(i - 1) && is_number_at(i - 2) && is_number_at(i);
  return has_hyphen(i) && (is_to || is_behind_to);
}

std::string joined(const std::vector<Token>& tokens) {
  std::string result;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_behind_number = i > 0 && is_numeric(tokens[i - 1]);
    const size_t mark = token.gap.find_first_not_of(' ');
    if (is_behind_number && mark < token.gap.size() && token.gap[mark] == '%') {
      result += " percent ";
    } else if (are_two_words(tokens, i)) {
      result += ' ';
    }
    const bool is_per_cent = token.text == "per" && word_at(Tokens(tokens).subspan(i), 1) == "cent";
    result += token.gap;
    const bool is_signed_a =
        token.text.size() > 1 && token.text[0] == 'a' && !is_ascii_letter(token.text[1]);
    if (is_signed_a) result += kNoArticle;
    for (const char c : std::string_view(token.text).substr(is_signed_a ? 1 : 0)) {
      const size_t kept = is_numeric(token) || is_ascii_digit(result.empty() ? ' ' : result.back())
                              ? kMarks.find(c)
                              : std::string_view::npos;
      result += kept == std::string_view::npos ? c : kKept[kept];
    }
    if (is_per_cent) {
      result += "cent";
      ++i;
    }
  }
  return result;
}

}  // namespace

std::string normalize_quantities(std::string_view text) {
  const std::vector<Token> tokens =
      with_phrases(with_numbers(tokens_of(folded(text))), day_or_value);
  std::string result = normalize_numbers(joined(with_phrases(tokens, ordered_phrase)));
  for (char& c : result) {
    const size_t kept = kKept.find(c);
    if (kept != std::string_view::npos) c = kMarks[kept];
  }
  replace_all(result, kNoArticle, "a");
  return result;
}

// ---- Two texts. ----

namespace {

// A time of day. `half` is 'a' or 'p' where it is said.
struct Clock {
  int64_t hour = 0;
  std::string minute = {};
  char half = '\0';
};

// Of "9:15", "9:15pm" and, where an hour or a decimal may be one, "9" and "9.15" (9.3: 9:30).
std::optional<Clock> parse_clock(std::string_view word, std::string_view marks) {
  Clock clock;
  if (word.ends_with("am") || word.ends_with("pm")) {
    clock.half = word[word.size() - 2];
    word.remove_suffix(2);
  }
  const size_t mark = std::min(word.find_first_of(marks), word.size());
  if (mark == word.size() && marks.find(' ') == marks.npos) return std::nullopt;
  clock.minute = mark < word.size() ? word.substr(mark + 1) : "00";
  if (mark < word.size() && word[mark] == '.')
    clock.minute.resize(std::max<size_t>(clock.minute.size(), 2), '0');
  if (!clock_text(word.substr(0, mark), clock.minute)) return std::nullopt;
  clock.hour = *parse_count(word.substr(0, mark));
  return clock;
}

// Where one says the half of the day and the other does not, modulo twelve hours, but of 13:00.
bool are_same(const Clock& one, const Clock& other) {
  const auto of_day = [](const Clock& clock) {
    return clock.half == '\0' ? clock.hour % 24 : clock.hour % 12 + (clock.half == 'p' ? 12 : 0);
  };
  const auto is_open = [](const Clock& clock) {
    return clock.half == '\0' && clock.hour >= 1 && clock.hour <= 12;
  };
  if (one.minute != other.minute) return false;
  const bool is_modulo = one.half != other.half && (is_open(one) || is_open(other));
  return is_modulo ? of_day(one) % 12 == of_day(other) % 12 : of_day(one) == of_day(other);
}

using Words = std::span<const std::string>;

std::string joined_words(Words words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// "15000" for "15k" and "15 k", and how many words that is.
std::optional<Phrase> scaled_amount(Words words, size_t at) {
  const std::string& word = words[at];
  const size_t end = std::min(word.find_first_not_of("0123456789."), word.size());
  const bool is_two = end == word.size() && at + 1 < words.size();
  const std::string_view scale =
      amount_scale(is_two ? std::string_view(words[at + 1]) : std::string_view(word).substr(end));
  if (end == 0 || scale.empty()) return std::nullopt;
  return Phrase{.tokens = is_two ? 2u : 1u, .text = shifted(word.substr(0, end), zeros_of(scale))};
}

// "915p" for "9:15pm", "35" for "3-to-5".
std::string digits_and_halves(std::string_view word) {
  std::string result;
  for (size_t i = 0; i < word.size(); ++i) {
    const bool is_half = i > 0 && is_ascii_digit(word[i - 1]) &&
                         (word.substr(i).starts_with("am") || word.substr(i).starts_with("pm"));
    if (is_ascii_digit(word[i]) || is_half) result += word[i];
  }
  return result;
}

// The numbers of a range with their points and halves: "2.5 3" for "2.5-to-3", "9 15p" for
// "9:15pm".
std::string numbers_and_halves(std::string_view word) {
  std::string result;
  for (size_t i = 0; i < word.size(); ++i) {
    const bool is_behind = i > 0 && is_ascii_digit(word[i - 1]);
    const bool is_point = word[i] == '.' && i + 1 < word.size() && is_ascii_digit(word[i + 1]);
    const bool is_half = word.substr(i).starts_with("am") || word.substr(i).starts_with("pm");
    if (is_ascii_digit(word[i]) && !is_behind && !result.empty() && !result.ends_with('.')) {
      result += ' ';
    }
    if (is_ascii_digit(word[i]) || (is_behind && (is_point || is_half))) result += word[i];
  }
  return result;
}

bool has_digits(std::string_view word) {
  return std::ranges::any_of(word, is_ascii_digit);
}

// Of a comparison, or "".
std::string sign_of(std::string_view word) {
  if (word.find('-') == std::string_view::npos) return "";
  bool is_opposite = false;
  for (const std::string_view negation : kNegations) {
    if (!word.starts_with(std::string(negation) + "-")) continue;
    is_opposite = true;
    word.remove_prefix(negation.size() + 1);
  }
  for (const auto& [words, sign] : kComparisons) {
    if (!word.starts_with(hyphenated(words) + "-")) continue;
    return is_opposite ? (sign == ">" ? "<=" : ">=") : std::string(sign);
  }
  for (const auto& [words, sign] : kComparisonsBehind) {
    if (word.ends_with("-" + hyphenated(words))) return std::string(sign);
  }
  return "";
}

// How often each digit is there; zeros of hundreds from 1000 on do not count.
std::array<size_t, 10> digit_counts(std::string_view word) {
  std::array<size_t, 10> counts = {};
  if (!sign_of(word).empty()) {  // "over-4500"
    const size_t begin = word.find_first_of("0123456789");
    word = word.substr(begin, word.find_last_of("0123456789") + 1 - begin);
  }
  bool is_whole = word.size() > 3 && word.ends_with("00");
  for (const char c : word) {
    if (is_ascii_digit(c)) ++counts[static_cast<size_t>(c - '0')];
    is_whole = is_whole && is_ascii_digit(c);
  }
  if (is_whole) counts[0] = 0;
  return counts;
}

// Of ordered_phrase(), or "3:1".
bool is_ordered(std::string_view word) {
  const bool has_mark = word.find_first_of("-:", 1) < word.size() - 1 && has_digits(word);
  return has_mark && !parse_clock(word, ":");
}

// Whether a number there may be an hour alone: "at 8", or at the end.
bool may_be_hour(Words words, size_t at) {
  return at + 1 == words.size() || (at > 0 && words[at - 1] == "at");
}

// Of "14:00-16:00" and "2-to-4:00pm", whose 2 is in the afternoon, too.
bool are_same_times(std::string_view one, std::string_view other) {
  const auto ends_of = [](std::string_view word) {
    std::vector<std::optional<Clock>> ends;
    for (size_t at = 0; at < word.size();) {
      const size_t end = std::min(word.find('-', at), word.size());
      const std::string_view part = word.substr(at, end - at);
      if (has_digits(part)) ends.push_back(parse_clock(part, ": "));
      at = end + 1;
    }
    if (word.find(':') == std::string_view::npos) ends.clear();
    for (auto& end : ends) {
      if (end && ends.back() && end->half == '\0' && end->hour % 12 <= ends.back()->hour % 12)
        end->half = ends.back()->half;
    }
    return ends;
  };
  const auto ends = ends_of(one), others = ends_of(other);
  return !ends.empty() && std::ranges::equal(ends, others, [](const auto& end, const auto& time) {
    return end && time && are_same(*end, *time);
  });
}

// The words from `at` on in the form of the reference that has their quantity; the word itself
// where the reference has the same numbers in another order.
std::optional<Phrase> in_form_of(Words words, size_t at, Words reference) {
  const std::string& word = words[at];
  const bool is_clock = word.find(':') < word.size();
  const auto clock = parse_clock(word, may_be_hour(words, at) ? ":. " : ":.");
  const auto amount = scaled_amount(words, at);
  for (size_t i = 0; i < reference.size(); ++i) {
    const std::string& other = reference[i];
    const auto time = parse_clock(other, is_clock && may_be_hour(reference, i) ? ": " : ":");
    if (clock && time && are_same(*clock, *time)) return Phrase{.tokens = 1, .text = other};
    if (amount && amount->text == other) return amount;
    const auto scaled = scaled_amount(reference, i);
    if (scaled && scaled->text == word) {
      return Phrase{.tokens = 1, .text = joined_words(reference.subspan(i, scaled->tokens))};
    }
    if (!is_ordered(word) || !is_ordered(other)) continue;
    const bool is_same =
        numbers_and_halves(word) == numbers_and_halves(other) || are_same_times(word, other);
    if (is_same && sign_of(word) == sign_of(other))
      return Phrase{.tokens = 1, .text = parted(other)};
    if (are_other_orders(word, other)) return Phrase{.tokens = 1, .text = word};
  }
  return std::nullopt;
}

}  // namespace

bool are_other_orders(std::string_view one, std::string_view other) {
  if (digit_counts(one) != digit_counts(other)) return false;
  const std::string sign = sign_of(one), other_sign = sign_of(other);
  return digits_and_halves(one) != digits_and_halves(other) ||
         (!sign.empty() && !other_sign.empty() && sign != other_sign);
}

std::string parted(std::string word) {
  if (is_ordered(word)) std::replace(word.begin() + 1, word.end(), '-', ' ');
  return word;
}

std::string compared_quantities(std::string_view normalised,
                                std::span<const std::string> references) {
  const std::vector<std::string> words = words_of(normalised);
  std::vector<std::vector<std::string>> others;
  std::set<std::string> known;
  for (const std::string& reference : references) {
    others.push_back(words_of(reference));
    known.insert(others.back().begin(), others.back().end());
  }
  std::vector<std::string> result;
  for (size_t at = 0; at < words.size();) {
    const std::string& word = words[at];
    std::optional<Phrase> phrase;
    const bool is_fixed = known.contains(word) || !has_digits(word);
    for (size_t i = 0; i < others.size() && !phrase && !is_fixed; ++i)
      phrase = in_form_of(words, at, others[i]);
    result.push_back(phrase ? phrase->text : parted(word));
    at += phrase ? phrase->tokens : 1;
  }
  return joined_words(result);
}

}  // namespace rubric::text
