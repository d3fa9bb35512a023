// The most probable of given texts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/neural/pair_scorer.h"

namespace rubric {

struct Choice {
  size_t best = 0;                  // on a tie the first
  std::vector<double> likelihoods;  // of each candidate, the mean log-probability of its tokens
};

// The pairs that are compared: each record's source with each of its candidates.
std::vector<SourceTarget> candidate_pairs(std::span<const SourceTarget> records,
                                          std::span<const std::vector<std::string>> candidates);

// For each record, whose target is not read, among its own candidates; there must be some.
std::vector<Choice> choose(const PairScorer& scorer, std::span<const SourceTarget> records,
                           std::span<const std::vector<std::string>> candidates);

}  // namespace rubric
