#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "metrics/derivations/derivation_scores.h"

namespace rubric::metrics::levenshtein_test {

int64_t distance(std::u32string_view a, std::u32string_view b) {
  return LevenshteinPattern(a).distance(b);
}

// The textbook's table, a row at a time.
int64_t table_distance(std::u32string_view a, std::u32string_view b) {
  std::vector<int64_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int64_t>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    int64_t diagonal = row[0];
    row[0] = static_cast<int64_t>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int64_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::u32string random_text(uint64_t seed, size_t size, uint64_t letters) {
  constexpr std::u32string_view kAlphabet = U"abz é中😀\u007f\u0080";
  std::u32string text;
  for (size_t i = 0; i < size; ++i) {
    text += kAlphabet[below(random_bits(seed, Purpose::shuffle, i), letters)];
  }
  return text;
}

TEST(Levenshtein, KnownDistances) {
  EXPECT_EQ(distance(U"kitten", U"sitting"), 3);
  EXPECT_EQ(distance(U"", U""), 0);
  EXPECT_EQ(distance(U"", U"abc"), 3);
  EXPECT_EQ(distance(U"abc", U""), 3);
  EXPECT_EQ(distance(U"中文", U"中国"), 1);
}

TEST(Levenshtein, EqualsTheTableAtEveryLengthAroundAWord) {
  for (const size_t size : {1u, 2u, 31u, 63u, 64u, 65u, 127u, 128u, 129u, 200u}) {
    for (const size_t other : {0u, 1u, 40u, 63u, 64u, 65u, 130u, 300u}) {
      for (const uint64_t letters : {2u, 3u, 9u}) {
        const std::u32string a = random_text(size, size, letters);
        const std::u32string b = random_text(1000 + other, other, letters);
        EXPECT_EQ(distance(a, b), table_distance(a, b)) << size << " " << other << " " << letters;
      }
    }
  }
}

}  // namespace rubric::metrics::levenshtein_test
