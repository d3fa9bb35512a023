// How SentencePiece's normalised texts are split into words, before these are split into pieces.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "text/normalizer.h"

namespace rubric::text {

struct PreTokenization {
  enum class Prefix { never, first, always };

  // The defaults are those of transformers for a spiece.model.
  bool splits_at_white_space = false;  // and removes it
  bool splits_at_punctuation = false;  // each mark by itself; DeBERTa's split_by_punct
  Prefix prefix = Prefix::always;  // where to add a space: before each text between added tokens,
                                   // or only at the start
  bool drops_first_blank = true;   // from decoded text
};

// Where a Metaspace puts a space. Throws InputError for another step, and for another mark.
PreTokenization::Prefix read_prefix(const Json& metaspace, const std::string& where);

// Reads pre_tokenizer (Metaspace, with WhitespaceSplit or Punctuation before it or not) and decoder
// (Metaspace) of a tokenizer.json. Throws InputError for other steps.
PreTokenization read_pre_tokenization(const Json& tokenizer, const std::string& file);

// Calls `use` with each word of `text`, in order. Words start with kBlankMark, except the first of
// a text without prefix. `starts_text`: nothing precedes `text`.
void for_each_word(const PreTokenization& pre_tokenization, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use);

}  // namespace rubric::text
