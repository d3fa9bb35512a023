// BERT's basic tokenizer: cleaned, normalised text, cut into words at blanks and punctuation
// (Devlin et al. 2019, tokenization.py; BertNormalizer and BertPreTokenizer of `tokenizers`).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

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

// The files that describe a WordPiece tokenizer: vocab.txt, tokenizer.json, tokenizer_config.json.

struct WordPieceModel {
  Vocabulary vocabulary;  // has [CLS], [SEP], [PAD] and [UNK]
  std::vector<AddedToken> added_tokens;
  WordPieceOptions options;
};

// One token a line, its id the line number from 0 (an empty line is an id without a token). The
// special tokens [PAD], [UNK], [CLS], [SEP] and, when it is there, [MASK] become added tokens.
WordPieceModel read_wordpiece_vocabulary(const std::filesystem::path& vocab_txt,
                                         const WordPieceOptions& options);

// tokenizer.json when the folder has one, else vocab.txt with what tokenizer_config.json says about
// added tokens. do_lower_case, strip_accents and tokenize_chinese_chars in tokenizer_config.json
// count in both cases, over the normalizer of tokenizer.json, as in transformers (unless the
// tokenizer_class is PreTrainedTokenizerFast, which does not know them).
//
// Both throw InputError naming file and line or key: duplicate tokens, ids that are negative,
// repeated or over ten million, missing special tokens, invalid UTF-8, other kinds of tokenizer.
WordPieceModel read_wordpiece_directory(const std::filesystem::path& model_directory);

// tokenizer.json, the file format of Hugging Face's `tokenizers`, as far as BERT uses it.

// Vocabulary, added tokens and the options of the normalizer; truncation, padding and the
// post-processor do not count. Throws InputError naming the file and the key for broken JSON, ids
// that are negative, repeated or over ten million, and every model, normalizer or pre-tokenizer
// other than BERT's.
WordPieceModel read_tokenizer_json(const std::filesystem::path& path);

// WordPiece, the tokenizer of BERT (Devlin et al. 2019; Wu et al. 2016): text to token ids, id by
// id those of transformers' BertTokenizerFast (tokenizers 0.22).
//
// Not taken over: truncation, padding and special tokens around the text (the caller's business),
// and that transformers invents an id for a [MASK] which the vocabulary lacks.

class WordPiece : public Tokenizer {
 public:
  // Reads what the folder has, as read_wordpiece_directory says. Throws InputError.
  static WordPiece from_directory(const std::filesystem::path& model_directory);
  // One token a line, the line number from 0 its id. Throws InputError.
  static WordPiece from_vocabulary(const std::filesystem::path& vocab_txt,
                                   const WordPieceOptions& options);

  // BERT's cleaning removes the U+FFFD of invalid UTF-8.
  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return cls_id_; }
  int64_t sep_id() const override { return sep_id_; }
  int64_t unk_id() const { return unk_id_; }

  // Over vocabulary, added tokens and options, from whichever files they came.
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  explicit WordPiece(WordPieceModel model);
  void encode_words(std::string_view normalized, std::vector<int64_t>& ids) const;
  void encode_word(std::string_view word, std::vector<int64_t>& ids) const;

  std::string fingerprint_;  // first: of the model before it is taken apart
  Vocabulary vocabulary_;
  WordPieceOptions options_;
  AddedTokenFinder raw_tokens_, normalized_tokens_;
  int64_t size_ = 0, cls_id_ = 0, sep_id_ = 0, unk_id_ = 0;
};

}  // namespace rubric::text
