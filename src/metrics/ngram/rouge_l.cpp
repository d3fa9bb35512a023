#include "metrics/ngram/rouge_l.h"

#include <algorithm>
#include <bit>

#include "metrics/ngram/words.h"

namespace rubric::metrics {

// The length of the longest common subsequence of a reference and the candidate, with 64 words of
// the reference in one machine word (Hyyrö 2004): a 0 in `row` at position i means that the
// subsequence grows by one there. The carry of an addition goes to the next block.
size_t RougeL::longest_common_subsequence(std::span<const uint32_t> reference) {
  if (reference.size() > 64) carries_.assign(known_.size(), 0);
  size_t length = 0;
  for (size_t start = 0; start < reference.size(); start += 64) {
    const std::span<const uint32_t> block =
        reference.subspan(start, std::min<size_t>(64, reference.size() - start));
    for (size_t i = 0; i < block.size(); ++i) masks_[block[i]] |= uint64_t{1} << i;
    uint64_t row = ~uint64_t{0};
    for (size_t j = 0; j < known_.size(); ++j) {
      const uint64_t matches = masks_[known_[j]] & row;
      uint64_t sum = 0;
      const bool overflow = __builtin_add_overflow(row, matches, &sum);
      if (reference.size() > 64) {
        const bool overflow_of_carry = __builtin_add_overflow(sum, uint64_t{carries_[j]}, &sum);
        carries_[j] = overflow || overflow_of_carry ? 1 : 0;
      }
      row = sum | (row & ~matches);
    }
    for (const uint32_t word : block) masks_[word] = 0;
    const uint64_t used = ~uint64_t{0} >> (64 - block.size());
    length += static_cast<size_t>(std::popcount(~row & used));
  }
  return length;
}

double RougeL::score(std::span<const std::string> references, std::string_view candidate) {
  constexpr double kBetaSquared = 1.2 * 1.2;
  const auto split = [](std::string_view text, const auto& use) { split_at_spaces(text, use); };
  if (references_.read(references, split)) masks_.assign(references_.distinct_words(), 0);
  size_t candidate_words = 0;
  known_.clear();  // the other words never match
  split_at_spaces(candidate, [&](std::string_view word) {
    ++candidate_words;
    const uint32_t number = references_.find(word);
    if (number != kNoId) known_.push_back(number);
  });
  if (known_.empty()) return 0;
  size_t most = 0;
  double recall = 0;
  for (size_t i = 0; i < references_.size(); ++i) {
    const size_t common = longest_common_subsequence(references_[i]);
    most = std::max(most, common);
    recall =
        std::max(recall, static_cast<double>(common) / static_cast<double>(references_[i].size()));
  }
  const double precision = static_cast<double>(most) / static_cast<double>(candidate_words);
  return (1 + kBetaSquared) * precision * recall / (recall + kBetaSquared * precision);
}

std::unique_ptr<AnswerMetric> make_rouge_l(const Settings& settings) {
  return make_sentence_metric(kRougeL.name, scorer_maker<RougeL>(), settings,
                              "|case:mixed|tok:none|beta:1.2");
}

}  // namespace rubric::metrics
