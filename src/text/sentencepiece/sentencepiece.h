// SentencePiece with a unigram model (Kudo and Richardson 2018), the tokenizer of T5: encodes text
// to token ids and decodes them, with the same ids as transformers' T5TokenizerFast (tokenizers
// 0.22).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentencepiece/normalization.h"
#include "text/sentencepiece/sentencepiece_files.h"
#include "text/sentencepiece/unigram.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

class SentencePiece : public GenerationTokenizer {
 public:
  // Reads the files as read_sentencepiece_directory does, and adds tokens as
  // open_generation_tokenizer does. Throws InputError.
  static SentencePiece from_directory(const std::filesystem::path& model_directory,
                                      const std::vector<std::string>& added_tokens = {});

  // Does not add the </s> that T5 expects at the end of a text.
  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return -1; }
  int64_t sep_id() const override { return -1; }

  // A hash of the pieces with their scores, the character map, the added tokens and the
  // pre-tokenization.
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  explicit SentencePiece(SentencePieceTokenizerFiles files, Charsmap charsmap);
  void encode_normalized(std::string_view text, bool starts_text, std::vector<int64_t>& ids) const;
  std::string join(std::span<const std::string_view> tokens) const override;

  std::string fingerprint_;
  PreTokenization cutting_;
  Charsmap charsmap_;
  Unigram unigram_;
  AddedTokenFinder raw_tokens_, normalized_tokens_;
  int64_t size_ = 0;
};

}  // namespace rubric::text
