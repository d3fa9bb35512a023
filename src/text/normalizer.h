// The normalizer of a tokenizer.json: steps that change a text before it is split into tokens, and
// the replacement of characters by which SentencePiece's models begin (Charsmap).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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

// The character by which SentencePiece's pieces represent a space.
inline constexpr std::string_view kBlankMark = "\u2581";

// Each step is the normalizer of `tokenizers` 0.22 of the same name. Unicode's forms are those of
// Unicode 9, which `tokenizers` has: a later character stays as it is.
//
//   Normalizer::from_json({"type": "Sequence", "normalizers": [{"type": "NFKC"}, …]}, "file")
class Normalizer {
 public:
  Normalizer() = default;  // changes nothing

  // Reads null, a step, or a Sequence of them: Precompiled, NFC, NFD, NFKC, NFKD, Lowercase,
  // StripAccents, Strip, Prepend, and Replace of a text or of runs of spaces (the expression
  // " {2,}"). Throws InputError naming `where` and any other step.
  static Normalizer from_json(const Json& normalizer, const std::string& where);
  static Normalizer from_steps(std::span<const Json* const> steps, const std::string& where);

  // That of a spiece.model: its charsmap, no white space at the end, and blank marks for runs of
  // spaces.
  static Normalizer of_spiece_model(std::string_view charsmap, const std::string& where);
  // That of RemBERT's sentencepiece.model (RemBertConverter of transformers).
  static Normalizer of_rembert_model(std::string_view charsmap, bool keeps_accents, bool lowercases,
                                     const std::string& where);

  // That of DeBERTa's spm.model: no white space at either end, the charsmap, one space for runs of
  // them; before all of it small letters where it `lowercases`.
  static Normalizer of_deberta_model(std::string_view charsmap, bool lowercases,
                                     const std::string& where);

  bool is_empty() const { return steps_.empty(); }

  // Sets `out` to the normalised form of valid UTF-8.
  void normalize(std::string_view text, std::string& out) const;

  // What it does, as text: normalizers that do the same, from whichever file, have the same one.
  std::string description() const;

 private:
  enum class Kind {
    precompiled,
    nfc,
    nfd,
    nfkc,
    nfkd,
    lowercase,
    strip_accents,
    strip,
    prepend,
    replace,
    replace_blanks,
  };
  struct Step {
    Kind kind;
    std::string pattern = {}, content = {};  // of replace; content also of prepend, replace_blanks
    bool at_start = false, at_end = false;   // of strip
    std::shared_ptr<const Charsmap> charsmap = {};
    std::string charsmap_hash = {};
  };
  static Step read_step(const Json& step, const std::string& where);
  static Step precompiled_step(std::string_view charsmap, const std::string& where);
  static void apply(const Step& step, std::string& text);

  std::vector<Step> steps_;
};

}  // namespace rubric::text
