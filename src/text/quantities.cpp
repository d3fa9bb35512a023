#include "text/quantities.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/text/ascii.h"
#include "core/text/days.h"
#include "core/text/number_words.h"
#include "core/text/utf8.h"
#include "text/numbers.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

// A word or number of a text, and the white space and punctuation before it.
struct Piece {
  std::string_view gap, text;
};
using Pieces = std::span<const Piece>;

// How many pieces a number or day has, and the text that replaces them.
struct Phrase {
  size_t pieces = 0;
  std::string text;
};

constexpr std::string_view kTeens[] = {"thirteen",  "fourteen", "fifteen", "sixteen",
                                       "seventeen", "eighteen", "nineteen"};
constexpr std::string_view kTens[] = {"twenty", "thirty",  "forty",  "fifty",
                                      "sixty",  "seventy", "eighty", "ninety"};
struct Scale {
  std::string_view word;
  int zeros;
};
constexpr int kZerosOfHundred = 2;  // the one scale that may stand before another
constexpr Scale kScales[] = {{"hundred", kZerosOfHundred},
                             {"thousand", 3},
                             {"million", 6},
                             {"billion", 9},
                             {"trillion", 12}};

// Whether a number that ends before `rest` goes on there: ",500" of thousands, ".5" of a fraction.
bool number_goes_on(std::string_view rest) {
  if (rest[0] == '.') return parse_count(rest.substr(1, 1)).has_value();
  return rest[0] == ',' && rest.size() > 3 && parse_count(rest.substr(1, 3)) &&
         !parse_count(rest.substr(4, 1));
}

// The last piece has no text: its gap is what stands at the end.
std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  size_t gap = 0, begin = 0;
  const auto end_piece = [&](size_t end) {
    pieces.push_back({text.substr(gap, begin - gap), text.substr(begin, end - begin)});
    gap = end;
  };
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    const char32_t c = decode_utf8(text, i);
    if (!is_python_space(c) && !is_ascii_punctuation(c)) continue;
    if (start > begin && is_ascii_digit(text[start - 1]) && number_goes_on(text.substr(start))) {
      continue;
    }
    if (start > begin) end_piece(start);
    begin = i;
  }
  if (begin < text.size()) end_piece(text.size());
  begin = text.size();
  end_piece(begin);
  return pieces;
}

// Whether a gap has nothing but white space and `marks`.
bool has_only(std::string_view gap, std::string_view marks) {
  for (size_t i = 0; i < gap.size();) {
    const char32_t c = decode_utf8(gap, i);
    const bool is_mark = c < 0x80 && marks.find(static_cast<char>(c)) != marks.npos;
    if (!is_mark && !is_python_space(c)) return false;
  }
  return true;
}

// The word at `at`; "" where more than white space or one hyphen stands before it.
std::string_view word_at(Pieces pieces, size_t at) {
  if (at >= pieces.size()) return "";
  const bool is_joined = at == 0 || pieces[at].gap == "-" || has_only(pieces[at].gap, "");
  return is_joined ? pieces[at].text : "";
}

int zeros_at(Pieces pieces, size_t at) {
  const auto* const found = std::ranges::find(kScales, word_at(pieces, at), &Scale::word);
  return found == std::end(kScales) ? 0 : found->zeros;
}

// "two hundred and five"
size_t after_and(Pieces pieces, size_t at) {
  return at + (word_at(pieces, at) == "and" ? 1 : 0);
}

// Numbers in words. The functions that read them move `at` behind the number that begins there;
// where none begins they return nullopt, and `at` stays.

std::optional<int64_t> read_below_hundred(Pieces pieces, size_t& at) {
  const std::string_view word = word_at(pieces, at);
  const auto* const tens = std::ranges::find(kTens, word);
  if (tens != std::end(kTens)) {
    const int64_t number = 20 + 10 * (tens - std::begin(kTens));
    const std::optional<int64_t> unit = parse_number_word(word_at(pieces, ++at));
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
std::optional<int64_t> read_hundreds(Pieces pieces, size_t& at) {
  std::optional<int64_t> number;
  if (word_at(pieces, at) == "a" && zeros_at(pieces, at + 1) > 0) {
    number = 1;
    ++at;
  } else {
    number = read_below_hundred(pieces, at);
  }
  if (!number || zeros_at(pieces, at) != kZerosOfHundred) return number;
  size_t next = after_and(pieces, ++at);
  const std::optional<int64_t> rest = read_below_hundred(pieces, next);
  // Two numbers: "between one hundred and two hundred".
  const bool is_other = zeros_at(pieces, next) == kZerosOfHundred;
  if (!rest || is_other) return 100 * *number;
  at = next;
  return 100 * *number + *rest;
}

std::optional<int64_t> read_cardinal(Pieces pieces, size_t& at) {
  std::optional<int64_t> sum;
  int last_zeros = std::numeric_limits<int>::max();
  for (size_t next = at;;) {
    std::optional<int64_t> group = read_hundreds(pieces, next);
    const int zeros = zeros_at(pieces, next);
    // Scales fall, or it is another number: "between one million and two million".
    if (!group || zeros >= last_zeros) return sum;
    for (int i = 0; i < zeros; ++i) *group *= 10;
    sum = sum.value_or(0) + *group;
    at = next + (zeros > 0 ? 1 : 0);
    if (zeros == 0) return sum;
    last_zeros = zeros;
    next = after_and(pieces, at);
  }
}

// "nineteen forty-five", "twenty twelve"
std::optional<int64_t> read_year(Pieces pieces, size_t& at) {
  size_t next = at;
  const std::optional<int64_t> century = read_below_hundred(pieces, next);
  if (!century || *century < 11 || *century > 20) return std::nullopt;
  const std::optional<int64_t> year = read_below_hundred(pieces, next);
  if (!year || *year < 10 || zeros_at(pieces, next) > 0) return std::nullopt;
  at = next;
  return 100 * *century + *year;
}

// "1200000" for "1.2" and six zeros; nullopt for a text that is no number, and for more decimals
// than zeros.
std::optional<std::string> with_zeros(std::string_view number, int zeros) {
  std::string digits;
  bool is_fraction = false;
  for (const char c : number) {
    if (is_ascii_digit(c)) {
      digits += c;
      zeros -= is_fraction ? 1 : 0;
    } else if (c == '.' && !is_fraction) {
      is_fraction = true;
    } else if (c != ',' || is_fraction) {
      return std::nullopt;
    }
  }
  if (zeros < 0) return std::nullopt;
  digits.append(static_cast<size_t>(zeros), '0');
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

std::optional<Phrase> number_phrase(Pieces pieces) {
  const bool is_half = word_at(pieces, 0) == "half";  // "half a million"
  const size_t scale = is_half && word_at(pieces, 1) == "a" ? 2 : 1;
  if (const int zeros = zeros_at(pieces, scale); zeros > 0) {  // "1.2 million"
    auto digits = with_zeros(is_half ? "0.5" : word_at(pieces, 0), zeros);
    if (digits) return Phrase{.pieces = scale + 1, .text = *std::move(digits)};
  }
  size_t at = 0;
  std::optional<int64_t> number = read_year(pieces, at);
  if (!number) number = read_cardinal(pieces, at);
  if (!number) return std::nullopt;
  const bool is_joined = pieces[at].gap == "-";  // "twenty-first"; no number takes the last piece
  // normalize_numbers() knows the numbers to twelve.
  if (at == 1 && (*number <= 12 || is_joined)) return std::nullopt;
  return Phrase{.pieces = at, .text = std::to_string(*number)};
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

// "1912-04-15"
std::optional<Phrase> iso_day(Pieces pieces) {
  if (pieces.size() < 3) return std::nullopt;
  const auto is_part = [&](size_t at, size_t digits) {
    const Piece& piece = pieces[at];
    return piece.text.size() == digits && parse_count(piece.text) && (at == 0 || piece.gap == "-");
  };
  if (!is_part(0, 4) || !is_part(1, 2) || !is_part(2, 2)) return std::nullopt;
  const int64_t month = parse_count(pieces[1].text).value();
  const std::optional<int> day = parse_day(pieces[2].text);
  if (month < 1 || month > std::ssize(kMonths) || !day) return std::nullopt;
  return Phrase{.pieces = 3,
                .text = std::to_string(*day) + " " +
                        ascii_lower(kMonths[static_cast<size_t>(month) - 1]) + " " +
                        std::string(pieces[0].text)};
}

std::string_view text_at(Pieces pieces, size_t at) {
  return at < pieces.size() ? pieces[at].text : "";
}

bool follows(Pieces pieces, size_t at, std::string_view marks) {
  return at < pieces.size() && has_only(pieces[at].gap, marks);
}

// "april 15th", "apr. 15"; or a month alone
std::optional<Phrase> month_first(Pieces pieces) {
  const std::string month = month_of(text_at(pieces, 0));
  if (month.empty()) return std::nullopt;
  const std::optional<int> day =
      follows(pieces, 1, ".") ? parse_day(text_at(pieces, 1)) : std::nullopt;
  return day ? Phrase{.pieces = 2, .text = std::to_string(*day) + " " + month}
             : Phrase{.pieces = 1, .text = month};
}

// "15th april", "15 of apr"
std::optional<Phrase> day_first(Pieces pieces) {
  const std::optional<int> day = parse_day(text_at(pieces, 0));
  const size_t at = text_at(pieces, 1) == "of" ? 2 : 1;
  if (!day || !follows(pieces, 1, "-") || !follows(pieces, at, "-")) return std::nullopt;
  const std::string month = month_of(text_at(pieces, at));
  if (month.empty()) return std::nullopt;
  return Phrase{.pieces = at + 1, .text = std::to_string(*day) + " " + month};
}

std::optional<Phrase> day_phrase(Pieces pieces) {
  std::optional<Phrase> phrase = month_first(pieces);
  if (!phrase) phrase = day_first(pieces);
  if (!phrase) return std::nullopt;
  const std::string_view next = text_at(pieces, phrase->pieces);
  if (next.size() == 4 && parse_count(next) && follows(pieces, phrase->pieces, ".,-")) {
    phrase->text.append(" ").append(next);
    ++phrase->pieces;
  }
  if (phrase->pieces == 1) return std::nullopt;  // "may" and "march" are other words, too
  return phrase;
}

}  // namespace

std::string normalize_quantities(std::string_view text) {
  const std::string lower = ascii_lower(text);
  const std::vector<Piece> pieces = pieces_of(lower);
  std::string result;
  for (size_t at = 0; at < pieces.size();) {
    const Pieces rest = Pieces(pieces).subspan(at);
    std::optional<Phrase> phrase = iso_day(rest);
    if (!phrase) phrase = day_phrase(rest);
    if (!phrase) phrase = number_phrase(rest);
    if (!phrase) phrase = Phrase{.pieces = 1, .text = std::string(rest.front().text)};
    result.append(rest.front().gap).append(phrase->text);
    at += phrase->pieces;
  }
  return normalize_numbers(result);
}

}  // namespace rubric::text
