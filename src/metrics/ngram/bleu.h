// Sentence BLEU as the MS-COCO caption scripts compute it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/answer_metric.h"
#include "metrics/ngram/words.h"

namespace rubric::metrics {

// What BLEU is computed from, of one candidate.
struct BleuCounts {
  static constexpr int kMostWords = 4;  // of an n-gram

  // By n - 1: matches, each n-gram at most as often as in the reference that has it most often, and
  // n-grams of the candidate.
  std::array<size_t, kMostWords> matches = {}, ngrams = {};
  size_t candidate = 0, reference = 0;  // words; of the reference whose length is closest
};

// Reuses memory between calls, and the references while they stay the same.
class Bleu {
 public:
  explicit Bleu(int order) : order_(order) {}  // 1 … 4

  // Splits words like Python's str.split(); of two equally close references the shorter one counts.
  // `references` must not be empty.
  BleuCounts count(std::span<const std::string> references, std::string_view candidate);

  // BLEU-1 … BLEU-4 (Papineni et al. 2002), in [0, 1], of these counts, with the constants of
  // pycocoevalcap's BleuScorer, so that a candidate without match scores almost 0 instead of 0.
  double score(std::span<const std::string> references, std::string_view candidate);

 private:
  void count_reference_grams();
  void lengthen(int n);
  size_t clipped_matches();
  size_t closest_reference_length() const;

  int order_;
  ReferenceWords references_;
  // Numbers of the references' n-grams: a unigram has the number of its word, longer n-grams get
  // the next free numbers. The key of a longer n-gram is the number of the n-gram without its last
  // word, and that word.
  IdMap<uint64_t> longer_;
  std::vector<uint32_t> most_;    // by n-gram: maximum count in a reference
  std::vector<uint32_t> counts_;  // by n-gram: count in the current text; zero between texts
  std::vector<uint32_t> words_;   // word numbers of the candidate
  std::vector<uint32_t> grams_;   // n-grams that start at each word of the current text
};

// The metrics.

template <int order>
std::unique_ptr<AnswerMetric> make_bleu(const Settings& settings);

inline constexpr MetricKind kBleu1 = {
    .name = "bleu1",
    .summary =
        "a sentence's BLEU-1 (Papineni et al. 2002), as the MS-COCO caption scripts compute it; "
        "keeps case and punctuation; bleu is sacreBLEU's",
    .settings = kNgramSettings,
    .make = make_bleu<1>,
    .example = "score bleu1"};
inline constexpr MetricKind kBleu2 = {
    .name = "bleu2",
    .summary =
        "a sentence's BLEU-2 (Papineni et al. 2002), as the MS-COCO caption scripts compute it; "
        "keeps case and punctuation; bleu is sacreBLEU's",
    .settings = kNgramSettings,
    .make = make_bleu<2>,
    .example = "score bleu2"};
inline constexpr MetricKind kBleu3 = {
    .name = "bleu3",
    .summary =
        "a sentence's BLEU-3 (Papineni et al. 2002), as the MS-COCO caption scripts compute it; "
        "keeps case and punctuation; bleu is sacreBLEU's",
    .settings = kNgramSettings,
    .make = make_bleu<3>,
    .example = "score bleu3"};
inline constexpr MetricKind kBleu4 = {
    .name = "bleu4",
    .summary =
        "a sentence's BLEU-4 (Papineni et al. 2002), as the MS-COCO caption scripts compute it; "
        "keeps case and punctuation; bleu is sacreBLEU's",
    .settings = kNgramSettings,
    .make = make_bleu<4>,
    .example = "score bleu4"};

}  // namespace rubric::metrics
