// SentencePiece with a unigram model (Kudo and Richardson 2018), the tokenizer of T5, mT5,
// XLM-RoBERTa and RemBERT: encodes text to token ids and decodes them, with the same ids as
// transformers' fast tokenizers (tokenizers 0.22).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.h"
#include "text/sentencepiece/pre_tokenization.h"
#include "text/sentencepiece/sentencepiece_files.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace rubric::text {

// Finds pieces at the start of a text.
class PieceTrie {
 public:
  // `value` >= 0 replaces the value of the same text.
  void add(std::string_view text, int32_t value);

  // The state of a walk along the bytes of a text, from the root.
  struct Walk {
    uint32_t node = 0;
    int32_t value = -1;  // of the text so far; -1: it is only a prefix
  };
  // Follows one byte; false when no text continues with it.
  bool step(Walk& walk, char byte) const;

 private:
  struct Edge {
    uint32_t from = 0, to = 0;  // `to` 0 (the root) marks an empty slot
    int32_t value = -1;         // of the node it leads to
    unsigned char byte = 0;
  };
  // Where the edge is or would be inserted.
  size_t slot_of(uint32_t from, unsigned char byte) const;
  void grow();

  std::vector<Edge> edges_;  // open addressing: a power of two, at most half in use
  uint32_t nodes_ = 1;       // including the root
};

// The unigram language model of SentencePiece (Kudo 2018): splits a word into its most probable
// pieces.
class Unigram {
 public:
  // scores[i] is the log-probability of pieces.token(i) and must be finite. A run of characters
  // that no piece covers becomes one `unknown_id`.
  Unigram(const Vocabulary& pieces, std::vector<double> scores, int32_t unknown_id);

  // Appends the ids of `word`, valid UTF-8, as Unigram of `tokenizers` does: it sums in double and
  // keeps the first of equally probable segmentations. (libsentencepiece sums in float, so that
  // rounding decides: it splits "..." differently.) Time and memory are linear in the length.
  void append_ids(std::string_view word, std::vector<int64_t>& ids) const;

 private:
  PieceTrie trie_;  // values: indices into ids_ and scores_
  std::vector<int32_t> ids_;
  std::vector<double> scores_;
  int32_t unknown_id_;
  double unknown_score_;  // of a character that no piece covers
};

class SentencePiece : public GenerationTokenizer {
 public:
  // Reads the files as read_sentencepiece_directory does, and adds tokens as
  // open_generation_tokenizer does. Throws InputError.
  static SentencePiece from_directory(const std::filesystem::path& model_directory,
                                      const std::vector<std::string>& added_tokens = {});

  // Without the special tokens around a text.
  void encode(std::string_view text, std::vector<int64_t>& ids) const override;

  int64_t size() const override { return size_; }
  int64_t cls_id() const override { return cls_id_; }
  int64_t sep_id() const override { return sep_id_; }

  // A hash of the pieces with their scores, the normalizer, the added tokens and the
  // pre-tokenization.
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  explicit SentencePiece(SentencePieceTokenizerFiles files);
  void encode_normalized(std::string_view text, bool starts_text, std::vector<int64_t>& ids) const;
  std::string join(std::span<const std::string_view> tokens) const override;

  std::string fingerprint_;
  Normalizer normalizer_;
  PreTokenization pre_tokenization_;
  Unigram unigram_;
  AddedTokenFinder raw_tokens_, normalized_tokens_;
  int64_t size_ = 0, cls_id_ = -1, sep_id_ = -1;
};

}  // namespace rubric::text
