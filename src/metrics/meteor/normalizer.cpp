#include "metrics/meteor/normalizer.h"

#include <algorithm>
#include <array>

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

using Text = std::u32string;
using TextView = std::u32string_view;

// Marks a dot of a run such as "...", which stays together. Not a valid character, so no text
// contains it.
constexpr char32_t kRunDot = 0x110000;

constexpr bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_small_letter(char32_t c) {
  return c >= 'a' && c <= 'z';
}

// The letters of METEOR: Latin of Western and Central Europe, Cyrillic, phonetic extensions.
constexpr bool is_letter(char32_t c) {
  if (c < 0x80) return is_small_letter(c) || (c >= 'A' && c <= 'Z');
  if (c < 0x400) return c >= 0xC0 && c <= 0x17E && c != 0xD7 && c != 0xF7;
  return c <= 0x527 || (c >= 0xA640 && c <= 0xA66E) || (c >= 0xA67E && c <= 0xA697) ||
         (c >= 0x1D00 && c <= 0x1D7F);
}

constexpr bool is_alphanumeric(char32_t c) {
  return is_digit(c) || is_letter(c);
}

bool is_any_but_digit(char32_t c) {
  return !is_digit(c);
}

bool is_any_but_letter(char32_t c) {
  return !is_letter(c);
}

bool is_no_word_character(char32_t c) {
  return !is_alphanumeric(c);
}

constexpr bool is_ascii_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// What separates words: the delimiters of Java's StringTokenizer.
bool is_delimiter(char32_t c) {
  return is_ascii_space(c) && c != '\v';
}

bool is_unicode_blank(char32_t c) {
  return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

constexpr size_t kAscii = 0x80;

constexpr auto kAsciiInPlace = [] {
  std::array<bool, kAscii> in_place{};
  for (char32_t c = 0; c < kAscii; ++c) in_place[c] = is_alphanumeric(c) || is_ascii_space(c);
  for (const char32_t c : {U'.', U'\'', U'`', U',', U'-'}) in_place[c] = true;
  return in_place;
}();

// Symbols that later steps handle in place; every other symbol is a word of its own.
bool stays_in_place(char32_t c) {
  return c < kAscii ? kAsciiInPlace[c] : is_letter(c) || c == U'‘' || c == U'’';
}

// decode_utf8, with a fast path for most characters.
char32_t next_character(std::string_view text, size_t& position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte >= kAscii) return decode_utf8(text, position);
  ++position;
  return byte;
}

// Surrounds the text with spaces, separates symbols and marks runs of dots.
Text separate_symbols(std::string_view text) {
  Text out(3 * text.size() + 2, U' ');
  size_t end = 1;
  for (size_t i = 0; i < text.size();) {
    const char32_t c = next_character(text, i);
    if (c == '.' && i < text.size() && text[i] == '.') {
      ++end;
      for (--i; i < text.size() && text[i] == '.'; ++i) out[end++] = kRunDot;
      ++end;
    } else if (stays_in_place(c)) {
      out[end++] = c;
    } else {
      out[end + 1] = c;
      end += 3;
    }
  }
  out.resize(end + 1);
  return out;
}

using CharacterClass = bool (*)(char32_t);

// Replaces `separator` by `with` between two such characters, from left to right. As with regular
// expressions, a character used as right neighbour is not used as left neighbour again.
void replace_between(Text& text, CharacterClass left, char32_t separator, CharacterClass right,
                     TextView with) {
  Text out;
  size_t used = 0;  // characters of `text` already copied to `out`
  for (size_t at = text.find(separator, 1); at < text.size() - 1;
       at = text.find(separator, at + 1)) {
    if (at <= used || !left(text[at - 1]) || !right(text[at + 1])) continue;
    out.append(text, used, at - used).append(with).append(1, text[at + 1]);
    used = at + 2;
  }
  if (used > 0) text = out.append(text, used);
}

// Replaces every `what` by `with`, from left to right.
void replace_all(Text& text, TextView what, TextView with) {
  for (size_t i = text.find(what); i != Text::npos; i = text.find(what, i + with.size())) {
    text.replace(i, what.size(), with);
  }
}

bool contains(TextView text, char32_t c) {
  return text.find(c) != TextView::npos;
}

void separate_commas(Text& text) {
  if (!contains(text, ',')) return;
  replace_between(text, is_any_but_digit, ',', is_any_but_digit, U" , ");
  replace_between(text, is_digit, ',', is_any_but_digit, U" , ");
  replace_between(text, is_any_but_digit, ',', is_digit, U" , ");
}

void unify_quotes_and_dashes(Text& text) {
  for (char32_t& c : text) {
    if (c == '`' || c == U'‘' || c == U'’') c = '\'';
    if (c == U'“' || c == U'”') c = '"';  // each is a word of its own by now
    if (c == U'–') c = '-';
  }
  if (contains(text, '\'')) replace_all(text, U"''", U" \" ");
  if (!contains(text, '-')) return;
  replace_all(text, U"--", U"-");
  const CharacterClass is_word_or_dot = [](char32_t c) { return c == '.' || is_alphanumeric(c); };
  replace_between(text, is_word_or_dot, '-', is_alphanumeric, U" ");
}

// Splits contractions before the apostrophe.
void separate_apostrophes(Text& text) {
  if (!contains(text, '\'')) return;
  const CharacterClass is_s = [](char32_t c) { return c == 's'; };
  replace_between(text, is_any_but_letter, '\'', is_any_but_letter, U" ' ");
  replace_between(text, is_no_word_character, '\'', is_letter, U" ' ");
  replace_between(text, is_letter, '\'', is_any_but_letter, U" ' ");
  replace_between(text, is_letter, '\'', is_letter, U" '");
  replace_between(text, is_digit, '\'', is_s, U" '");
}

template <class Character>
std::vector<std::basic_string_view<Character>> split_words(std::basic_string_view<Character> text) {
  std::vector<std::basic_string_view<Character>> words;
  words.reserve(text.size() / 4);
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    while (i < text.size() && !is_delimiter(static_cast<char32_t>(text[i]))) ++i;
    if (i > start) words.push_back(text.substr(start, i - start));
    ++i;
  }
  return words;
}

// Appends a word that ends in a dot: without its dots (U.S.), as it is (Dr.), or with the dot as a
// word of its own.
void append_dotted_word(TextView word, TextView next, const NonbreakingPrefixes& prefixes,
                        Text& out) {
  const TextView before = word.substr(0, word.size() - 1);
  if (before.find('.') != TextView::npos && std::any_of(before.begin(), before.end(), is_letter)) {
    std::copy_if(word.begin(), word.end(), std::back_inserter(out),
                 [](char32_t c) { return c != '.'; });
    return;
  }
  const std::string prefix = encode_utf8(before);
  const bool keeps =
      prefixes.always.contains(prefix) || (!next.empty() && is_small_letter(next[0])) ||
      (!next.empty() && is_digit(next[0]) && prefixes.before_number.contains(prefix));
  out += before;
  out += keeps ? U"." : U" .";
}

Text separate_dots(const Text& text, const NonbreakingPrefixes& prefixes) {
  const std::vector<TextView> words = split_words(TextView(text));
  Text out;
  out.reserve(text.size() + 16);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() > 1 && words[i].back() == '.') {
      append_dotted_word(words[i], i + 1 < words.size() ? words[i + 1] : TextView(), prefixes, out);
    } else {
      out += words[i];
    }
    out += U' ';
  }
  return out;
}

// Removes spaces and control characters at both ends, like Java's String.trim().
std::string_view trimmed(std::string_view text) {
  const auto goes = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && goes(text.front())) text.remove_prefix(1);
  while (!text.empty() && goes(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string normalize_for_meteor(std::string_view text, const NonbreakingPrefixes& prefixes) {
  Text line = separate_symbols(text);
  separate_commas(line);
  unify_quotes_and_dashes(line);
  separate_apostrophes(line);
  std::string normalized;
  normalized.reserve(line.size());
  for (const char32_t c : separate_dots(line, prefixes)) {
    if (c == ' ' || is_unicode_blank(c)) {
      if (!normalized.ends_with(' ')) normalized += ' ';
    } else if (c < kAscii) {
      normalized += static_cast<char>(c);
    } else {
      append_utf8(c == kRunDot ? U'.' : c, normalized);
    }
  }
  return text::lower_case(trimmed(normalized));
}

std::vector<std::string_view> meteor_words(std::string_view normalized) {
  return split_words(normalized);
}

}  // namespace rubric::metrics
