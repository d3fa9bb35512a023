// Sentence ROUGE-L as the MS-COCO caption scripts compute it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/answer_metric.h"
#include "metrics/ngram/words.h"

namespace rubric::metrics {

// Reuses memory between calls, and the references while they stay the same.
class RougeL {
 public:
  // ROUGE-L (Lin 2004), beta 1.2, in [0, 1], from the best precision over the references and,
  // independently, the best recall, as pycocoevalcap's Rouge.calc_score does. Words are separated
  // by single spaces and may be empty. `references` must not be empty.
  double score(std::span<const std::string> references, std::string_view candidate);

 private:
  size_t longest_common_subsequence(std::span<const uint32_t> reference);

  ReferenceWords references_;
  std::vector<uint32_t> known_;   // the candidate's words that occur in a reference
  std::vector<uint64_t> masks_;   // by word: its positions among 64 words; zero between calls
  std::vector<uint8_t> carries_;  // by word of known_
};

std::unique_ptr<AnswerMetric> make_rouge_l(const Settings& settings);

inline constexpr MetricKind kRougeL = {
    .name = "rouge_l",
    .summary =
        "ROUGE-L (Lin 2004), as the MS-COCO caption scripts compute it, and MOCHA; keeps case and "
        "punctuation; rougeL is Google's",
    .settings = kNgramSettings,
    .make = make_rouge_l,
    .example = "score rouge_l"};

}  // namespace rubric::metrics
