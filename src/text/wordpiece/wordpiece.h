// WordPiece, the tokenizer of BERT and MPNet: BERT's basic tokenizer, which normalises text and
// splits it into words (Devlin et al. 2019, tokenization.py; BertNormalizer and BertPreTokenizer of
// `tokenizers`), the tokenizer's files, and WordPiece itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

struct WordPieceOptions {
  bool lowercase = true;
  std::optional<bool> strip_accents = {};  // unset: equal to `lowercase`
  bool tokenize_chinese_chars = true;      // each Chinese character is a word

  bool strips_accents() const { return strip_accents.value_or(lowercase); }
};

// Appends the normalised `text` to `out`: control characters and accents removed, white space
// replaced by spaces, spaces around Chinese characters, lower case. `text` may be any bytes; each
// maximal invalid part counts as one U+FFFD, which is removed. `out` is valid UTF-8 whose only
// white space is ' '.
void bert_normalize(std::string_view text, const WordPieceOptions& options, std::string& out);

// Sets `word` to the next word of normalised text from `position` on and moves `position` behind
// it: a run of characters other than spaces and punctuation, or one punctuation character. False at
// the end.
bool next_word(std::string_view normalized, size_t& position, std::string_view& word);

// What the files of a WordPiece tokenizer describe: vocab.txt, tokenizer.json,
// tokenizer_config.json.
struct WordPieceModel {
  Vocabulary vocabulary;  // has [UNK]
  std::vector<AddedToken> added_tokens;
  Normalizer before;  // what happens to a text before bert_normalize()
  WordPieceOptions options;
  TokensAround around;
  int64_t cls_id = -1, sep_id = -1;  // of BERT's [CLS] and [SEP], MPNet's <s> and </s>
};

// Reads tokenizer.json if the directory has one, else vocab.txt with the added tokens of
// tokenizer_config.json. vocab.txt has one token a line, whose id is the line number from 0 (an
// empty line is an id without a token); its special tokens become added tokens. In both cases
// do_lower_case, strip_accents and tokenize_chinese_chars of tokenizer_config.json override the
// normalizer of tokenizer.json, as in transformers (unless the tokenizer_class is
// PreTrainedTokenizerFast, which ignores them). The tokens around a text are those that
// tokenizer_config.json or special_tokens_map.json names, else those of the class of tokenizer,
// which config.json's model_type decides where nothing names it.
//
// Throws InputError naming file and line or key: duplicate tokens, ids that are negative,
// repeated or over ten million, missing special tokens, invalid UTF-8, other kinds of tokenizer.
WordPieceModel read_wordpiece_directory(const std::filesystem::path& model_directory);

// Reads a tokenizer.json of `tokenizers` but for truncation and padding. BertNormalizer may follow
// other steps in a Sequence (text/normalizer.h). Throws InputError naming the file and the key for
// malformed JSON, ids that are negative, repeated or over ten million, and every model, normalizer
// or pre-tokenizer other than BERT's.
WordPieceModel read_tokenizer_json(const std::filesystem::path& path);

// WordPiece, the tokenizer of BERT (Devlin et al. 2019; Wu et al. 2016): encodes text to the same
// token ids as transformers' BertTokenizerFast and MPNetTokenizerFast (tokenizers 0.22).
//
// Differences: the caller adds truncation, padding and special tokens around the text, and a [MASK]
// that the vocabulary lacks gets no id (transformers invents one).
class WordPiece : public Tokenizer {
 public:
  // Reads the files as read_wordpiece_directory does. Throws InputError.
  static WordPiece from_directory(const std::filesystem::path& model_directory);

  // BERT's cleaning removes the U+FFFD of invalid UTF-8.
  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return cls_id_; }
  int64_t sep_id() const override { return sep_id_; }

  // A hash of vocabulary, added tokens and options, whichever files they come from.
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  explicit WordPiece(WordPieceModel model);
  void encode_words(std::string_view normalized, std::vector<int64_t>& ids) const;
  void encode_word(std::string_view word, std::vector<int64_t>& ids) const;

  std::string fingerprint_;  // first member: computed before the model is moved from
  Vocabulary vocabulary_;
  Normalizer before_;
  WordPieceOptions options_;
  AddedTokenFinder raw_tokens_, normalized_tokens_;
  int64_t size_ = 0, cls_id_ = 0, sep_id_ = 0, unk_id_ = 0;
};

}  // namespace rubric::text
