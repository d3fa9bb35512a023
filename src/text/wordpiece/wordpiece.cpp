#include "text/wordpiece/wordpiece.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/hash.h"
#include "core/text/utf8.h"
#include "text/tokenizer_files/token_entries.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

namespace {

// max_input_chars_per_word of every published BERT: a longer word is [UNK].
constexpr size_t kLongestWord = 100;

size_t count_characters(std::string_view valid_utf8) {
  return static_cast<size_t>(std::count_if(valid_utf8.begin(), valid_utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string fingerprint_of(const WordPieceModel& model) {
  std::string text = "wordpiece";
  const auto add_flag = [&text](bool flag) { text += flag ? " 1" : " 0"; };
  add_flag(model.options.lowercase);
  add_flag(model.options.strips_accents());
  add_flag(model.options.tokenize_chinese_chars);
  text += tokens_text(model.vocabulary, model.added_tokens);
  const bool is_bert = model.cls_id == model.vocabulary.find("[CLS]") &&
                       model.sep_id == model.vocabulary.find("[SEP]");
  text += model.before.is_empty() ? "" : "\n" + model.before.description();
  if (!is_bert) text += "\n" + std::to_string(model.cls_id) + " " + std::to_string(model.sep_id);
  return sha256(text);
}

}  // namespace

WordPiece WordPiece::from_directory(const std::filesystem::path& model_directory) {
  return WordPiece(read_wordpiece_directory(model_directory));
}

WordPiece::WordPiece(WordPieceModel model)
    : Tokenizer(model.around),
      fingerprint_(fingerprint_of(model)),
      vocabulary_(std::move(model.vocabulary)),
      before_(std::move(model.before)),
      options_(model.options),
      size_(count_ids(vocabulary_, model.added_tokens)),
      cls_id_(model.cls_id),
      sep_id_(model.sep_id),
      unk_id_(vocabulary_.find("[UNK]")) {
  for (const AddedToken& token : model.added_tokens) {
    (token.normalized ? normalized_tokens_ : raw_tokens_).add(token);
  }
}

void WordPiece::encode(std::string_view text, std::vector<int64_t>& ids) const {
  struct Scratch {
    std::vector<TextPart> parts, normalized_parts;
    std::string repaired, before, normalized;
  };
  thread_local Scratch scratch;  // reused between texts
  if (!before_.is_empty() && !is_valid_utf8(text)) text = scratch.repaired = repair_utf8(text);
  raw_tokens_.split(text, scratch.parts);
  for (const TextPart& part : scratch.parts) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    scratch.normalized.clear();
    if (before_.is_empty()) {
      bert_normalize(part.text, options_, scratch.normalized);
    } else {
      before_.normalize(part.text, scratch.before);
      bert_normalize(scratch.before, options_, scratch.normalized);
    }
    normalized_tokens_.split(scratch.normalized, scratch.normalized_parts);
    for (const TextPart& inner : scratch.normalized_parts) {
      if (inner.id >= 0) {
        ids.push_back(inner.id);
      } else {
        encode_words(inner.text, ids);
      }
    }
  }
}

void WordPiece::encode_words(std::string_view normalized, std::vector<int64_t>& ids) const {
  std::string_view word;
  for (size_t position = 0; next_word(normalized, position, word);) encode_word(word, ids);
}

// Greedy: takes the longest token that is a prefix of the rest of the word; the whole word is [UNK]
// if nothing matches somewhere.
void WordPiece::encode_word(std::string_view word, std::vector<int64_t>& ids) const {
  if (word.size() > kLongestWord && count_characters(word) > kLongestWord) {
    ids.push_back(unk_id_);
    return;
  }
  const size_t ids_before = ids.size();
  Vocabulary::Match match = vocabulary_.longest_match(word);
  while (match.id >= 0) {
    ids.push_back(match.id);
    word.remove_prefix(match.length);
    if (word.empty()) return;
    match = vocabulary_.longest_match(word, "##");
  }
  ids.resize(ids_before);
  ids.push_back(unk_id_);
}

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
