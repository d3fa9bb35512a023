// SentencePiece with a unigram model (Kudo and Richardson 2018), the tokenizer of T5: text to token
// ids and back, id by id those of transformers' T5TokenizerFast (tokenizers 0.22).
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
  // Reads what the folder has, as read_sentencepiece_directory says, and adds tokens as
  // open_generation_tokenizer does. Throws InputError.
  static SentencePiece from_directory(const std::filesystem::path& model_directory,
                                      const std::vector<std::string>& added_tokens = {});

  // Without the </s> that T5 has behind every text.
  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return -1; }
  int64_t sep_id() const override { return -1; }

  // Over pieces with their scores, character map, added tokens and cutting.
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
