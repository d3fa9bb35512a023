// WordPiece, the tokenizer of BERT (Devlin et al. 2019; Wu et al. 2016): text to token ids, id by
// id those of transformers' BertTokenizerFast (tokenizers 0.22).
//
// Not taken over: truncation, padding and special tokens around the text (the caller's business),
// and that transformers invents an id for a [MASK] which the vocabulary lacks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "text/added_tokens.h"
#include "text/wordpiece/wordpiece.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "text/wordpiece/wordpiece_files.h"

namespace rubric {

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

}  // namespace rubric
