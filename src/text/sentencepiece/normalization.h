// What happens to a text before SentencePiece splits its words into pieces: character normalisation
// (Charsmap) and splitting into words (PreTokenization).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace rubric::text {

class Charsmap {
 public:
  // `bytes` holds the length of the trie, the trie, and replacements that each end with NUL. An
  // empty `bytes` replaces nothing. Throws InputError naming `where` when these are inconsistent.
  Charsmap(std::string_view bytes, const std::string& where);

  // Appends the normalised form of valid UTF-8, as Precompiled of `tokenizers` does: a grapheme
  // cluster of less than six bytes is replaced as a whole by the replacement of its shortest known
  // prefix, others character by character. (libsentencepiece replaces the longest known prefix at
  // each position.)
  void append_normalized(std::string_view text, std::string& out) const;

 private:
  size_t end_of_plain(std::string_view text, size_t position) const;
  std::optional<std::string_view> replacement(std::string_view text) const;

  std::vector<uint32_t> units_;
  std::string replacements_;
  bool is_plain_[128] = {};  // ASCII characters that are not replaced on their own
};

// The character by which pieces represent a space.
inline constexpr std::string_view kBlankMark = "\u2581";

struct PreTokenization {
  enum class Prefix { never, first, always };

  // The defaults are those of transformers for a spiece.model.
  bool replaces_characters = true;     // applies the model's Charsmap
  bool strips_end = true;              // strips trailing white space
  std::string blank_run{kBlankMark};   // replaces two or more spaces; empty: they stay
  bool splits_at_white_space = false;  // and removes it
  Prefix prefix = Prefix::always;  // where to add a space: before each text between added tokens,
                                   // or only at the start
  bool drops_first_blank = true;   // from decoded text
};

// Reads it from a tokenizer.json. Throws InputError for steps that T5's tokenizers do not have.
PreTokenization read_pre_tokenization(const Json& tokenizer, const std::string& file);

// Applies strips_end and blank_run to `text`.
void normalize_white_space(const PreTokenization& pre_tokenization, std::string& text);

// Calls `use` with each word of `text`, in order. Words start with kBlankMark, except the first of
// a text without prefix. `starts_text`: nothing precedes `text`.
void for_each_word(const PreTokenization& pre_tokenization, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use);

}  // namespace rubric::text
