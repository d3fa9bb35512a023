// BERT's basic tokenizer: cleaned, normalised text, cut into words at blanks and punctuation
// (Devlin et al. 2019, tokenization.py; BertNormalizer and BertPreTokenizer of `tokenizers`).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rubric {

struct WordPieceOptions {
  bool lowercase = true;
  std::optional<bool> strip_accents = {};  // as `lowercase` when unset
  bool tokenize_chinese_chars = true;      // every Chinese character is a word

  bool strips_accents() const { return strip_accents.value_or(lowercase); }
};

// Appends `text` to `out`: without control characters, all white space as blanks, blanks around
// Chinese characters, accents removed, lower case. `text` may be any bytes; each maximal invalid
// part counts as one U+FFFD, which is removed. `out` is valid UTF-8 whose only white space is ' '.
void bert_normalize(std::string_view text, const WordPieceOptions& options, std::string& out);

// The next word of normalised text from `position` on, which moves behind it: a run of characters
// other than blanks and punctuation, or one punctuation character. False at the end.
bool next_word(std::string_view normalized, size_t& position, std::string_view& word);

}  // namespace rubric
