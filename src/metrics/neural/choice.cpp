#include "metrics/neural/choice.h"

#include <algorithm>

#include "metrics/neural/pair_likelihoods.h"

namespace rubric {

std::vector<SourceTarget> candidate_pairs(std::span<const SourceTarget> records,
                                          std::span<const std::vector<std::string>> candidates) {
  std::vector<SourceTarget> pairs;
  for (size_t i = 0; i < records.size(); ++i) {
    for (const std::string& candidate : candidates[i]) {
      pairs.push_back({records[i].id, records[i].source, candidate, records[i].given});
    }
  }
  return pairs;
}

std::vector<Choice> choose(const PairScorer& scorer, std::span<const SourceTarget> records,
                           std::span<const std::vector<std::string>> candidates) {
  const auto values = scorer.log_probabilities(candidate_pairs(records, candidates));
  std::vector<Choice> choices(records.size());
  auto next = values.begin();
  for (size_t i = 0; i < records.size(); ++i) {
    std::vector<double>& likelihoods = choices[i].likelihoods;
    for (size_t j = 0; j < candidates[i].size(); ++j, ++next) {
      likelihoods.push_back(mean_log_probability(*next));
    }
    choices[i].best =
        static_cast<size_t>(std::ranges::max_element(likelihoods) - likelihoods.begin());
  }
  return choices;
}

}  // namespace rubric
