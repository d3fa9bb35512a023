// BLEU of one sentence, as the MS-COCO caption scripts compute it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/ngram/words.h"

namespace rubric::metrics {

// Keeps its memory, and the references as long as they stay the same, from call to call.
class Bleu {
 public:
  explicit Bleu(int order) : order_(order) {}  // 1 … 4

  // BLEU-1 … BLEU-4 (Papineni et al. 2002), in [0, 1]. Clips over all references, takes the
  // reference length closest to the candidate's (the shorter on a tie) and keeps the constants of
  // pycocoevalcap's BleuScorer, so that no match scores almost 0 instead of 0. Words are what
  // Python's str.split() gives. `references` must not be empty.
  double score(std::span<const std::string> references, std::string_view candidate);

 private:
  void count_reference_grams();
  void lengthen(int n);
  size_t clipped_matches();
  size_t closest_reference_length() const;

  int order_;
  ReferenceWords references_;
  // The references' n-grams by number: a unigram has its word's, a longer n-gram the next free one
  // behind. Its key is the number of the n-gram before its last word, and that word.
  IdMap<uint64_t> longer_;
  std::vector<uint32_t> most_;    // by n-gram: how often in the reference that has it most
  std::vector<uint32_t> counts_;  // by n-gram: how often in the text at hand; zero between texts
  std::vector<uint32_t> words_;   // of the candidate, by number
  std::vector<uint32_t> grams_;   // of the text at hand: those that start at each of its words
};

}  // namespace rubric::metrics
