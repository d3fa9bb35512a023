// The statistics that MOCHA's paper reports of its data (Chen et al. 2020, Table 2 and Figures 3
// and 4).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/records.h"

namespace rubric::data {

using ScoreCounts = std::array<int64_t, 5>;  // of scores 1 … 5; other scores are rounded, halves up

struct SourceStatistics {
  int64_t candidates = 0;
  ScoreCounts scores{};
};

struct ConstituentStatistics {
  std::string name;
  int64_t passages = 0;   // distinct texts
  int64_t questions = 0;  // distinct (passage, question, reference)
  int64_t candidates = 0;
  int64_t unscored = 0;  // candidates without a score
  // Mean lengths over the candidates, in words of BERT's basic tokenizer (cased).
  double passage_length = 0, question_length = 0, reference_length = 0, candidate_length = 0;
  ScoreCounts scores{};
  std::vector<std::pair<std::string, SourceStatistics>> sources;  // in file order
};

// The statistics of each constituent (a source data set of MOCHA), in file order.
std::vector<ConstituentStatistics> mocha_statistics(std::span<const Answer> answers);

// The number of words into which BERT's basic tokenizer splits the text.
int64_t word_count(const std::string& text);

}  // namespace rubric::data
