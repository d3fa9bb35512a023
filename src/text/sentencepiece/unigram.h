// The unigram language model of SentencePiece, and the trie in which it finds pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace rubric::text {

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

}  // namespace rubric::text
