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
#include "text/basic_tokenizer.h"
#include "text/vocabulary.h"
#include "text/wordpiece_files.h"

namespace rubric {

class WordPiece {
 public:
  // Reads what the folder has, as read_wordpiece_directory says. Throws InputError.
  static WordPiece from_directory(const std::filesystem::path& model_directory);
  // One token a line, the line number from 0 its id. Throws InputError.
  static WordPiece from_vocabulary(const std::filesystem::path& vocab_txt,
                                   const WordPieceOptions& options);

  // Appends the ids of `text` to `ids`, without special tokens around them. Any bytes will do: each
  // maximal invalid part of UTF-8 counts as one U+FFFD, which BERT's cleaning removes. May be
  // called from several threads at once.
  void encode(std::string_view text, std::vector<int64_t>& ids) const;

  int64_t size() const { return size_; }  // the largest id and one: rows of the embedding
  int64_t cls_id() const { return cls_id_; }
  int64_t sep_id() const { return sep_id_; }
  int64_t unk_id() const { return unk_id_; }

  // SHA-256 over vocabulary, added tokens and options, from whichever files they came: equal
  // fingerprints give equal ids.
  const std::string& fingerprint() const { return fingerprint_; }

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
