#include <algorithm>
#include <cstddef>

#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "metrics/ngram/sacrebleu.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

// A text of bytes, or of characters, whose pairs for which `are_pair(first, second)` holds get a
// blank on both sides of one of the two. Pairs do not overlap, as with re.sub: the next begins
// behind the one before.
enum class Apart { first, second };
template <Apart apart, class Text, class Pair>
Text separate_pairs(const Text& text, const Pair& are_pair) {
  Text out;
  out.reserve(text.size() + text.size() / 2);
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !are_pair(text[i], text[i + 1])) {
      out += text[i];
      continue;
    }
    if (apart == Apart::first) out += ' ';
    out += text[i];
    out += ' ';
    out += text[++i];
    if (apart == Apart::second) out += ' ';
  }
  return out;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_stop_or_comma(char c) {
  return c == '.' || c == ',';
}

// ASCII punctuation but for the apostrophe, comma, hyphen and full stop.
bool is_always_apart(char c) {
  return (c >= '!' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// TokenizerRegexp. Its expressions only distinguish ASCII characters, so it can read bytes.
std::string separate_ascii(std::string_view text) {
  std::string line;
  line.reserve(2 * text.size());
  for (const char c : text) {
    const bool apart = is_always_apart(c);
    if (apart) line += ' ';
    line += c;
    if (apart) line += ' ';
  }
  line = separate_pairs<Apart::second>(
      line, [](char first, char second) { return !is_digit(first) && is_stop_or_comma(second); });
  line = separate_pairs<Apart::first>(
      line, [](char first, char second) { return is_stop_or_comma(first) && !is_digit(second); });
  return separate_pairs<Apart::second>(
      line, [](char first, char second) { return is_digit(first) && second == '-'; });
}

struct CharacterRange {
  char32_t first, last;
};
constexpr CharacterRange kChinese[] = {
    {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F},
    {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF},
    {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};

// Calls `use` with each character and its bytes.
template <class Use>
void for_each_character(std::string_view text, const Use& use) {
  for (size_t i = 0; i < text.size();) {
    const size_t start = i;
    const char32_t character = decode_utf8(text, i);
    use(character, text.substr(start, i - start));
  }
}

}  // namespace

bool is_chinese_in_sacrebleu(char32_t c) {
  return std::ranges::any_of(
      kChinese, [c](const CharacterRange& range) { return range.first <= c && c <= range.last; });
}

std::string tokenize_13a(std::string_view text) {
  std::string line(text);
  replace_all(line, "<skipped>", "");
  replace_all(line, "-\n", "");
  std::ranges::replace(line, '\n', ' ');
  if (line.find('&') != std::string::npos) {
    replace_all(line, "&quot;", "\"");
    replace_all(line, "&amp;", "&");
    replace_all(line, "&lt;", "<");
    replace_all(line, "&gt;", ">");
  }
  return separate_ascii(" " + line + " ");
}

std::string tokenize_international(std::string_view text) {
  std::u32string line = decode_utf8(text);
  line = separate_pairs<Apart::second>(line, [](char32_t first, char32_t second) {
    return text::is_punctuation(second) && !text::is_number(first);
  });
  line = separate_pairs<Apart::first>(line, [](char32_t first, char32_t second) {
    return text::is_punctuation(first) && !text::is_number(second);
  });
  std::string out;
  for (const char32_t character : line) {
    const bool apart = text::is_symbol(character);
    if (apart) out += ' ';
    append_utf8(character, out);
    if (apart) out += ' ';
  }
  return out;
}

std::string tokenize_characters(std::string_view text) {
  std::string out;
  for_each_character(text, [&](char32_t, std::string_view bytes) {
    out += bytes;
    out += ' ';
  });
  return out;
}

std::string tokenize_chinese(std::string_view text) {
  std::string line;
  for_each_character(text::strip(text), [&](char32_t character, std::string_view bytes) {
    const bool apart = is_chinese_in_sacrebleu(character);
    if (apart) line += ' ';
    line += bytes;
    if (apart) line += ' ';
  });
  return separate_ascii(line);
}

std::string tokenize_not(std::string_view text) {
  return std::string(text);
}

}  // namespace rubric::metrics
