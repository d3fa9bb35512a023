// How well a derivation agrees with reference derivations (R4C, Inoue et al. 2020, section 2.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/records.h"

namespace rubric::metrics {

// What the similarity of two steps is the mean of: heads and tails, relations, or all three.
struct StepScorer {
  const char *key, *title;  // the official script's, the paper's
};
inline constexpr std::array<StepScorer, 3> kStepScorers = {
    {{"e", "Entity"}, {"r", "Relation"}, {"er", "Full"}}};

// 1 - Levenshtein(lower case) / the longer length, in code points, lengths before lower-casing, as
// the official script has it. 1 for two empty phrases, which it cannot divide.
double phrase_similarity(std::string_view a, std::string_view b);

struct AlignedStep {
  size_t candidate = 0, reference = 0;  // steps, from 0
  double similarity = 0;
};

struct DerivationScore {
  double sum = 0;  // c(D; G): of the aligned similarities
  double precision = 0, recall = 0, f1 = 0;
  size_t reference = 0;                // which one
  std::vector<AlignedStep> alignment;  // the best one-to-one, by candidate step
};

using DerivationScores = std::array<DerivationScore, kStepScorers.size()>;  // in that order

// Against each reference; no reference is empty. A candidate without steps scores 0.
std::vector<DerivationScores> score_derivation(const data::Derivation& candidate,
                                               std::span<const data::Derivation> references);

// For each scorer on its own the score of the reference with the largest sum, the first of equal
// ones (to 1e-12). `by_reference` must not be empty.
DerivationScores best_reference(std::span<const DerivationScores> by_reference);

// Whether a sum is larger, and not only the same numbers added in another order.
inline bool is_larger(double sum, double than) {
  return sum > than + 1e-12;
}

// HotpotQA's scores (Yang et al. 2018, section 5.2) as its evaluation script computes them.

// In [0, 1].
struct HotpotScore {
  double exact_match = 0, f1 = 0, precision = 0, recall = 0;
};

// Of words normalised as SQuAD does. "yes", "no" and "noanswer" are only right or wrong.
HotpotScore score_hotpot_answer(std::string_view gold, std::string_view predicted);

// Of sets of sentences.
HotpotScore score_supporting_facts(std::span<const data::SupportingFact> gold,
                                   std::span<const data::SupportingFact> predicted);

// Both at once: products of the exact matches, precisions and recalls, and the F1 of those.
HotpotScore joint_score(const HotpotScore& answer, const HotpotScore& supporting_facts);

// The best one-to-one assignment.

// Pairs (row, column) that maximise the sum of weights[row][column], each row and each column in at
// most one pair: min(rows, columns) pairs, ordered by row. The Hungarian method with potentials
// (Kuhn 1955; Jonker and Volgenant 1987), rows² · columns steps. Weights are finite; all rows have
// the same length.
std::vector<std::pair<size_t, size_t>> best_assignment(
    const std::vector<std::vector<double>>& weights);

// The Levenshtein distance of one text to many.

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

}  // namespace rubric::metrics
