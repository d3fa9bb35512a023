// The characters that a SentencePiece model replaces before it cuts a text (NFKC and more): the
// precompiled_charsmap of spiece.model, a double-array trie (Aoe 1989) and the texts it leads to.
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
  // `bytes`: the length of the trie, the trie, replacements that end with NUL each. None at all
  // replaces nothing. Throws InputError naming `where` when that does not fit together.
  Charsmap(std::string_view bytes, const std::string& where);

  // Appends what becomes of valid UTF-8, as Precompiled of `tokenizers` does it: clusters of less
  // than six bytes are replaced whole by what their shortest known prefix leads to, others
  // character by character. (libsentencepiece replaces the longest known prefix at each place.)
  void append_normalized(std::string_view text, std::string& out) const;

 private:
  size_t end_of_plain(std::string_view text, size_t position) const;
  std::optional<std::string_view> replacement(std::string_view text) const;

  std::vector<uint32_t> units_;
  std::string replacements_;
  bool is_plain_[128] = {};  // of ASCII: not replaced when it stands alone
};

// How T5's tokenizer makes words of normalised text before pieces are looked for: the normalizer
// (but for its characters) and the pre_tokenizer of tokenizer.json.

inline constexpr std::string_view kBlankMark = "\u2581";  // what stands for a blank in pieces

struct PreTokenization {
  enum class Prefix { never, first, always };

  // What transformers makes of a spiece.model.
  bool replaces_characters = true;     // by the model's Charsmap
  bool strips_end = true;              // of white space
  std::string blank_run{kBlankMark};   // for two blanks and more; empty: they stay
  bool splits_at_white_space = false;  // which goes
  Prefix prefix = Prefix::always;      // a blank before which texts: those between two added
                                       // tokens, too, or that at the start only
  bool drops_first_blank = true;       // of decoded text
};

// From a tokenizer.json. Throws InputError for steps that T5's have not.
PreTokenization read_pre_tokenization(const Json& tokenizer, const std::string& file);

// What strips_end and blank_run make of `text`, in place.
void normalize_white_space(const PreTokenization& cutting, std::string& text);

// Calls `use` with each word of `text`, in order: words start with kBlankMark but for texts without
// prefix. `starts_text`: nothing stands before `text`.
void for_each_word(const PreTokenization& cutting, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use);

}  // namespace rubric::text
