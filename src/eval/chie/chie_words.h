// What CHIE's tables count in words: F1, exact match and the mean length of answers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/chie/suite.h"

namespace rubric {

struct ChieWords {
  double f1 = 0, em = 0;         // SQuAD's, over all answers, percent
  std::vector<int64_t> lengths;  // of each answer, in words
  double mean_length = 0;
};

struct ChieWordFigures {
  std::vector<ChieWords> systems;       // as asked for
  std::vector<std::string> segmenters;  // what cut the texts, each once: "newmm-5.4.0"
};

// F1 and exact match on what stands between blanks, in languages that have none between words on
// what a segmenter cuts: newmm in Thai, jieba in Chinese, else ICU. Lengths, as the authors' code
// counts them, are jieba's words in Chinese, blanks among them, and newmm's in every other
// language. Throws Error, naming the answer, when a segmenter fails.
ChieWordFigures measure_words(std::span<const ChieSystem> systems);

}  // namespace rubric
