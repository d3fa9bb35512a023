// The unigram language model of SentencePiece (Kudo 2018): the most probable pieces of a word.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/sentencepiece/unigram.h"
#include "text/vocabulary.h"

namespace rubric {

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

}  // namespace rubric
