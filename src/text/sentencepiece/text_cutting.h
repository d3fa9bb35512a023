// How T5's tokenizer makes words of normalised text before pieces are looked for: the normalizer
// (but for its characters) and the pre_tokenizer of tokenizer.json.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace rubric {

inline constexpr std::string_view kBlankMark = "\u2581";  // what stands for a blank in pieces

struct TextCutting {
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
TextCutting read_text_cutting(const Json& tokenizer, const std::string& file);

// What strips_end and blank_run make of `text`, in place.
void normalize_white_space(const TextCutting& cutting, std::string& text);

// Calls `use` with each word of `text`, in order: words start with kBlankMark but for texts without
// prefix. `starts_text`: nothing stands before `text`.
void for_each_word(const TextCutting& cutting, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use);

}  // namespace rubric
