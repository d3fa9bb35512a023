// BERTScore beside the four aspects (Phatthiyaphaibun et al. 2024, Table 2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/chie/chie_assessments.h"
#include "eval/chie/chie_words.h"

namespace rubric {

struct ChieTercile {
  std::string name;  // low, medium, high
  int64_t n = 0;
  double lowest = 0, highest = 0;                 // of its answers' BERTScores, percent
  std::array<int64_t, kAspects.size()> agreed{};  // how often the assessor agrees, by aspect
  int64_t undecided = 0;                          // answers that lack a verdict on an aspect
  int64_t tied = 0;                               // answers scored as one of another tercile
  double mean_length = 0;                         // of the answers, in words
};

bool has_several_languages(std::span<const ChieSystem> systems);

// The answers that `assessor` has an opinion of, in thirds by BERTScore: the i-th of the three ends
// with answer floor(i n / 3), so that sizes differ by one at most. Equal scores stay in the order
// of systems and ledger. All answers are scored. Nothing where there are fewer than three, and for
// systems in several languages, whose BERTScores have different scales.
std::vector<ChieTercile> bertscore_terciles(std::span<const ChieSystem> systems,
                                            const ChieWordFigures& words, const Assessor& assessor);

}  // namespace rubric
