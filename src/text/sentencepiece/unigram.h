// Texts by their prefixes, one byte a step: an open-addressing hash table of edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace rubric::text {

class PieceTrie {
 public:
  void add(std::string_view text, int32_t value);  // value >= 0; of the same text the last counts

  // Where a walk from the first byte on has got to.
  struct Walk {
    uint32_t node = 0;
    int32_t value = -1;  // of the text walked so far; -1: it is only a prefix
  };
  // One byte on; false when no text goes on so.
  bool step(Walk& walk, char byte) const;

 private:
  struct Edge {
    uint32_t from = 0, to = 0;  // to 0, the root: an empty slot
    int32_t value = -1;         // of the node it leads to
    unsigned char byte = 0;
  };
  size_t slot_of(uint32_t from, unsigned char byte) const;  // where it is, or would be put
  void grow();

  std::vector<Edge> edges_;  // a power of two, at most half of them in use
  uint32_t nodes_ = 1;       // the root among them
};

// The unigram language model of SentencePiece (Kudo 2018): the most probable pieces of a word.

class Unigram {
 public:
  // Pieces and their log-probabilities: scores[i] is that of pieces.token(i). What no piece covers
  // becomes `unknown_id`, adjacent characters of it one. Scores must be finite.
  Unigram(const Vocabulary& pieces, std::vector<double> scores, int32_t unknown_id);

  // Appends the ids of `word`, valid UTF-8, as Unigram of `tokenizers` does: sums are doubles, and
  // of equally probable cuts the first found is kept. (libsentencepiece adds up floats, so that
  // rounding decides between them: it cuts "..." otherwise.) Time and memory grow with the length.
  void append_ids(std::string_view word, std::vector<int64_t>& ids) const;

 private:
  PieceTrie trie_;  // of indices into the two below
  std::vector<int32_t> ids_;
  std::vector<double> scores_;
  int32_t unknown_id_;
  double unknown_score_;  // of a character that no piece covers
};

}  // namespace rubric::text
