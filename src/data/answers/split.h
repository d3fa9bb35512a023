// Rows into parts to train, tune and test on, such that no question is in two of them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric::data {

struct Share {
  std::string name;
  double share;  // of the distinct texts, on average
};

struct SplitOptions {
  std::vector<Share> shares;    // they add up to 1
  std::string by = "question";  // the field whose text keeps rows together
  uint64_t seed = 0;
  std::map<std::string, int64_t> sample;  // at most so many texts of a part; not named: all
};

struct Part {
  std::string name;
  std::vector<size_t> rows;  // in their order
  int64_t texts = 0;         // distinct ones
};

// The parts of rows with these texts, in the order of the shares. Where a row goes is a hash of its
// text and the seed alone: rows of one text stay together, and a question added elsewhere moves no
// other. Of a sampled part those texts stay whose hash is least, so a larger sample holds the
// smaller one. Throws InputError with `where` for a part without rows.
std::vector<Part> split_texts(std::span<const std::string> texts, const SplitOptions& options,
                              const std::string& where);

// The same of answers by their question or passage. Throws InputError, too, for one without it.
std::vector<Part> split_answers(std::span<const Answer> answers, const SplitOptions& options,
                                const std::string& where);

}  // namespace rubric::data
