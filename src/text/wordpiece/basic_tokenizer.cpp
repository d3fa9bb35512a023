#include <algorithm>
#include <array>

#include "core/text/utf8.h"
#include "text/unicode/unicode.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text {
namespace {

constexpr unsigned char byte_at(std::string_view text, size_t position) {
  return static_cast<unsigned char>(text[position]);
}

// The replacement of each ASCII character; '\0' removes it.
using AsciiMap = std::array<char, 128>;

constexpr AsciiMap ascii_map(bool lowercase) {
  AsciiMap map{};
  for (size_t c = 0x20; c < 0x7F; ++c) map[c] = static_cast<char>(c);
  for (const char blank : {'\t', '\n', '\r'}) map[static_cast<size_t>(blank)] = ' ';
  for (size_t c = 'A'; lowercase && c <= 'Z'; ++c) map[c] = static_cast<char>(c - 'A' + 'a');
  return map;
}
constexpr AsciiMap kLowerCase = ascii_map(true), kKeepCase = ascii_map(false);

enum class AsciiClass : char { inside_word, blank, punctuation };

constexpr std::array<AsciiClass, 128> ascii_classes() {
  std::array<AsciiClass, 128> classes{};
  classes[' '] = AsciiClass::blank;
  for (size_t c = 0x21; c < 0x7F; ++c) {
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!alphanumeric) classes[c] = AsciiClass::punctuation;
  }
  return classes;
}
constexpr std::array<AsciiClass, 128> kAsciiClasses = ascii_classes();

// Writes normalised characters. Buffers marks until the next character that starts a sequence, to
// sort them stably by combining class (canonical order).
class Writer {
 public:
  Writer(const WordPieceOptions& options, std::string& out)
      : lowercase_(options.lowercase), strip_accents_(options.strips_accents()), out_(out) {}

  void add(char32_t c) {
    if (!strip_accents_) return emit(c);
    decomposed_.clear();
    append_decomposition(c, decomposed_);
    for (const char32_t part : decomposed_) {
      const bool starts_sequence = combining_class(part) == 0;
      if (starts_sequence) flush();
      if (is_accent(part)) continue;
      if (starts_sequence) {
        emit(part);
      } else {
        marks_ += part;
      }
    }
  }

  void flush() {
    if (marks_.empty()) return;
    std::stable_sort(marks_.begin(), marks_.end(), [](char32_t a, char32_t b) {
      return combining_class(a) < combining_class(b);
    });
    for (const char32_t mark : marks_) emit(mark);
    marks_.clear();
  }

 private:
  void emit(char32_t c) {
    if (lowercase_) {
      append_lower_case(c, out_);
    } else {
      append_utf8(c, out_);
    }
  }

  bool lowercase_, strip_accents_;
  std::string& out_;
  std::u32string decomposed_, marks_;
};

}  // namespace

void bert_normalize(std::string_view text, const WordPieceOptions& options, std::string& out) {
  const AsciiMap& ascii = options.lowercase ? kLowerCase : kKeepCase;
  Writer writer(options, out);
  for (size_t position = 0; position < text.size();) {
    if (byte_at(text, position) < 0x80) {
      const char mapped = ascii[byte_at(text, position++)];
      if (mapped == '\0') continue;
      writer.flush();
      out += mapped;
      continue;
    }
    const char32_t c = decode_utf8(text, position);
    if (is_removed_by_bert(c)) continue;
    const bool blank = is_white_space(c);
    const bool alone = options.tokenize_chinese_chars && is_cjk_ideograph(c);
    if (blank || alone) {
      writer.flush();
      out += ' ';
    }
    if (!blank) writer.add(c);
    if (alone) out += ' ';
  }
  writer.flush();
}

bool next_word(std::string_view normalized, size_t& position, std::string_view& word) {
  while (position < normalized.size() && normalized[position] == ' ') ++position;
  const size_t start = position;
  while (position < normalized.size()) {
    const size_t before = position;
    const unsigned char byte = byte_at(normalized, position);
    bool punctuation = false;
    if (byte < 0x80) {
      if (kAsciiClasses[byte] == AsciiClass::blank) break;
      punctuation = kAsciiClasses[byte] == AsciiClass::punctuation;
      ++position;
    } else {
      punctuation = is_bert_punctuation(decode_utf8(normalized, position));
    }
    if (!punctuation) continue;
    if (before > start) position = before;  // return the word before it first
    break;
  }
  word = normalized.substr(start, position - start);
  return !word.empty();
}

}  // namespace rubric::text
