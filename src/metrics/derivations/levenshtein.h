// The Levenshtein distance of one text to many.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rubric {

// A text made ready to be compared, 64 characters at once: Myers (1999), "A fast bit-vector
// algorithm for approximate string matching based on dynamic programming", in the form of Hyyrö
// (2003) for texts of any length.
class LevenshteinPattern {
 public:
  explicit LevenshteinPattern(std::u32string_view text);

  // The insertions, deletions and substitutions of characters that turn one text into the other.
  int64_t distance(std::u32string_view other) const;

 private:
  // Where a character stands in the text: a bit each, and only the blocks of 64 that have any, so
  // that memory grows with the text alone.
  struct Places {
    size_t block;
    uint64_t bits;
  };

  size_t size_, blocks_;
  static constexpr size_t kAscii = 128;
  std::vector<uint64_t> ascii_;  // [kAscii][blocks_]
  std::unordered_map<char32_t, std::vector<Places>> others_;
};

}  // namespace rubric
