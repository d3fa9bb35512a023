// ROUGE-L of one sentence, as the MS-COCO caption scripts compute it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/ngram/words.h"

namespace rubric::metrics {

// Keeps its memory, and the references as long as they stay the same, from call to call.
class RougeL {
 public:
  // ROUGE-L (Lin 2004), beta 1.2, in [0, 1], from the best precision and the best recall over the
  // references, each on its own, as pycocoevalcap's Rouge.calc_score does. Words are what stands
  // between single blanks, empty ones included. `references` must not be empty.
  double score(std::span<const std::string> references, std::string_view candidate);

 private:
  size_t longest_common_subsequence(std::span<const uint32_t> reference);

  ReferenceWords references_;
  std::vector<uint32_t> known_;   // the candidate's words that stand in a reference
  std::vector<uint64_t> masks_;   // by word: where it stands in 64 words; zero between calls
  std::vector<uint8_t> carries_;  // by word of known_
};

}  // namespace rubric::metrics
