// R4C's score of a derivation against reference derivations (Inoue et al. 2020, section 2.2),
// HotpotQA's scores, and the algorithms behind them: one-to-one assignment and Levenshtein
// distance.
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

// What the similarity of two steps averages: heads and tails, relations, or all three.
struct StepScorer {
  const char *key, *title;  // the official script's name, the paper's name
};
inline constexpr std::array<StepScorer, 3> kStepScorers = {
    {{"e", "Entity"}, {"r", "Relation"}, {"er", "Full"}}};

// 1 - Levenshtein(lower case) / the longer length, in code points, with lengths before lower-casing
// as in the official script. 1 for two empty phrases, for which the script divides by zero.
double phrase_similarity(std::string_view a, std::string_view b);

struct AlignedStep {
  size_t candidate = 0, reference = 0;  // step indices, from 0
  double similarity = 0;
};

struct DerivationScore {
  double sum = 0;  // c(D; G): the sum of the aligned similarities
  double precision = 0, recall = 0, f1 = 0;
  size_t reference = 0;                // index of the reference
  std::vector<AlignedStep> alignment;  // the best one-to-one alignment, by candidate step
};

// In the order of kStepScorers.
using DerivationScores = std::array<DerivationScore, kStepScorers.size()>;

// Scores against each reference; references must not be empty. A candidate without steps scores 0.
std::vector<DerivationScores> score_derivation(const data::Derivation& candidate,
                                               std::span<const data::Derivation> references);

// For each scorer, the score of the reference with the largest sum, the first among equal sums (to
// 1e-12). `by_reference` must not be empty.
DerivationScores best_reference(std::span<const DerivationScores> by_reference);

// Whether a sum is larger by more than the rounding of another order of addition.
inline bool is_larger(double sum, double than) {
  return sum > than + 1e-12;
}

// HotpotQA's scores (Yang et al. 2018, section 5.2) as its evaluation script computes them, in [0,
// 1].
struct HotpotScore {
  double exact_match = 0, f1 = 0, precision = 0, recall = 0;
};

// Compares words normalised as in SQuAD. "yes", "no" and "noanswer" get no partial credit.
HotpotScore score_hotpot_answer(std::string_view gold, std::string_view predicted);

// Compares sets of sentences.
HotpotScore score_supporting_facts(std::span<const data::SupportingFact> gold,
                                   std::span<const data::SupportingFact> predicted);

// Joint score: products of the exact matches, precisions and recalls, and the F1 of these products.
HotpotScore joint_score(const HotpotScore& answer, const HotpotScore& supporting_facts);

// The one-to-one assignment, as pairs (row, column), that maximises the sum of
// weights[row][column]: min(rows, columns) pairs, ordered by row. The Hungarian method with
// potentials (Kuhn 1955; Jonker and Volgenant 1987), in rows² · columns steps. Weights must be
// finite and all rows equally long.
std::vector<std::pair<size_t, size_t>> best_assignment(
    const std::vector<std::vector<double>>& weights);

// A text prepared for Levenshtein distances to many others, 64 characters at once: Myers (1999), "A
// fast bit-vector algorithm for approximate string matching based on dynamic programming", in the
// form of Hyyrö (2003) for texts of any length.
class LevenshteinPattern {
 public:
  explicit LevenshteinPattern(std::u32string_view text);

  // The number of insertions, deletions and substitutions that turn one text into the other.
  int64_t distance(std::u32string_view other) const;

 private:
  // The positions of a character in the text, one bit each. Only blocks of 64 positions with a set
  // bit are stored, so that memory grows only with the text.
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
