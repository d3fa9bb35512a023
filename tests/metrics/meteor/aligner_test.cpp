#include <gtest/gtest.h>

#include "metrics/meteor/alignment.h"

namespace rubric::metrics::aligner_test {

// The candidate's start for each match of the alignment, by the reference's start.
using Pairs = std::vector<std::pair<int32_t, int32_t>>;

Pairs align(int words, int candidate_words, const std::vector<MeteorMatch>& list) {
  MeteorMatches matches;
  matches.by_start.resize(static_cast<size_t>(words));
  matches.coverage.assign(static_cast<size_t>(words), 0);
  matches.candidate_coverage.assign(static_cast<size_t>(candidate_words), 0);
  for (const MeteorMatch& match : list) {
    matches.by_start[static_cast<size_t>(match.start)].push_back(match);
    for (int j = 0; j < match.length; ++j) ++matches.coverage[static_cast<size_t>(match.start + j)];
    for (int j = 0; j < match.candidate_length; ++j) {
      ++matches.candidate_coverage[static_cast<size_t>(match.candidate_start + j)];
    }
  }
  Pairs pairs;
  MeteorAligner aligner;
  for (const MeteorMatch& match : aligner.align(matches)) {
    pairs.emplace_back(match.start, match.candidate_start);
  }
  return pairs;
}

constexpr MeteorModule kExact = MeteorModule::exact, kStem = MeteorModule::stem,
                       kPhrase = MeteorModule::paraphrase;

TEST(MeteorAligner, PrefersMoreWordsThenFewerChunks) {
  // "x a b" with "a x a b": the second a is in one chunk with b.
  EXPECT_EQ(
      align(
          3, 4,
          {{0, 1, 1, 1, kExact}, {1, 0, 1, 1, kExact}, {1, 2, 1, 1, kExact}, {2, 3, 1, 1, kExact}}),
      (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  // A phrase of two words against two exact words: the words count twice as much.
  EXPECT_EQ(align(2, 2, {{0, 0, 2, 2, kPhrase}, {0, 0, 1, 1, kExact}, {1, 1, 1, 1, kExact}}),
            (Pairs{{0, 0}, {1, 1}}));
}

TEST(MeteorAligner, CertainMatchesAreKeptAndDoubtfulHalvesAreWorthNothing) {
  EXPECT_EQ(align(1, 1, {{0, 0, 1, 1, kStem}}), (Pairs{{0, 0}}));
  // Twice the same half match is not certain, counts 0, and costs a chunk.
  EXPECT_EQ(align(1, 1, {{0, 0, 1, 1, kStem}, {0, 0, 1, 1, kPhrase}}), Pairs());
}

TEST(MeteorAligner, NoMatchesNoAlignment) {
  EXPECT_EQ(align(0, 0, {}), Pairs());
  EXPECT_EQ(align(3, 2, {}), Pairs());
}

TEST(MeteorAligner, TakesMoreThanSixtyFourWords) {
  std::vector<MeteorMatch> all;
  for (int32_t i = 0; i < 100; ++i) {
    for (int32_t k = 0; k < 100; ++k) all.push_back({i, k, 1, 1, kExact});
  }
  const Pairs pairs = align(100, 100, all);
  ASSERT_EQ(pairs.size(), 100u);
  std::vector<bool> used(100, false);
  for (const auto& [start, candidate] : pairs) {
    EXPECT_FALSE(used[static_cast<size_t>(candidate)]);
    used[static_cast<size_t>(candidate)] = true;
  }
}

}  // namespace rubric::metrics::aligner_test
