#include "core/random.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace rubric::random_test {

// The first outputs of the published generator with seed 1234567 (Vigna's splitmix64.c).
TEST(Random, MixIsSplitMix64) {
  constexpr uint64_t kIncrement = 0x9E3779B97F4A7C15u;
  EXPECT_EQ(mix(1234567), 6457827717110365317u);
  EXPECT_EQ(mix(1234567 + kIncrement), 3203168211198807973u);
  EXPECT_EQ(mix(0), 0xE220A8397B1DCDAFu);
}

TEST(Random, EveryPartOfTheKeyCounts) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (const Purpose purpose : {Purpose::shuffle, Purpose::dropout, Purpose::bootstrap}) {
      for (uint64_t a = 0; a < 4; ++a) {
        for (uint64_t b = 0; b < 4; ++b) seen.insert(random_bits(seed, purpose, a, b));
      }
    }
  }
  EXPECT_EQ(seen.size(), 4u * 3 * 4 * 4);
}

TEST(Random, UniformIsInItsRange) {
  EXPECT_EQ(uniform(0), 0);
  EXPECT_LT(uniform(std::numeric_limits<uint64_t>::max()), 1);
  EXPECT_EQ(uniform(uint64_t{1} << 63), 0.5);
}

TEST(Random, BelowCoversItsRangeEvenly) {
  EXPECT_EQ(below(std::numeric_limits<uint64_t>::max(), 10), 9u);
  EXPECT_EQ(below(0, 10), 0u);
  std::array<int, 10> counts{};
  constexpr uint64_t kDraws = 100000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    ++counts.at(below(random_bits(1, Purpose::shuffle, i), counts.size()));
  }
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - 1e4) * (count - 1e4) / 1e4;
  EXPECT_LT(chi_squared, 27.9);  // 9 degrees of freedom, p = 0.001
}

TEST(Random, PermutationHoldsEveryNumberOnce) {
  for (const int64_t size : {0, 1, 2, 1000}) {
    std::vector<int64_t> order = permutation(size, 3, Purpose::shuffle, 0);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(std::ssize(order), size);
    for (int64_t i = 0; i < size; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  }
}

TEST(Random, PermutationDependsOnItsKeyAlone) {
  const auto order = permutation(100, 3, Purpose::shuffle, 0);
  EXPECT_EQ(order, permutation(100, 3, Purpose::shuffle, 0));
  EXPECT_NE(order, permutation(100, 4, Purpose::shuffle, 0));
  EXPECT_NE(order, permutation(100, 3, Purpose::bootstrap, 0));
  EXPECT_NE(order, permutation(100, 3, Purpose::shuffle, 1));
}

// Each of the 24 orders of four about equally often.
TEST(Random, PermutationsAreUniform) {
  std::map<std::vector<int64_t>, int> counts;
  for (uint64_t i = 0; i < 24000; ++i) ++counts[permutation(4, i, Purpose::shuffle, 0)];
  EXPECT_EQ(counts.size(), 24u);
  double chi_squared = 0;
  for (const auto& [order, count] : counts) chi_squared += (count - 1e3) * (count - 1e3) / 1e3;
  EXPECT_LT(chi_squared, 49.7);  // 23 degrees of freedom, p = 0.001
}

}  // namespace rubric::random_test
