// What MOCHA's paper tells of its data (Chen et al. 2020, Table 2 and Figures 3 and 4).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/records.h"

namespace rubric::data {

using ScoreCounts = std::array<int64_t, 5>;  // of the scores 1 … 5, others rounded, halves up

struct SourceStatistics {
  int64_t candidates = 0;
  ScoreCounts scores{};
};

struct ConstituentStatistics {
  std::string name;
  int64_t passages = 0;   // unique by their text
  int64_t questions = 0;  // question/reference pairs: unique by passage, question and reference
  int64_t candidates = 0;
  int64_t unscored = 0;  // of the candidates
  // Mean lengths over the candidates, in words of BERT's basic tokenizer (cased).
  double passage_length = 0, question_length = 0, reference_length = 0, candidate_length = 0;
  ScoreCounts scores{};
  std::vector<std::pair<std::string, SourceStatistics>> sources;  // in file order
};

// One for each constituent, in file order.
std::vector<ConstituentStatistics> mocha_statistics(std::span<const Answer> answers);

// The number of words that BERT's basic tokenizer makes of the text.
int64_t word_count(const std::string& text);

}  // namespace rubric::data
