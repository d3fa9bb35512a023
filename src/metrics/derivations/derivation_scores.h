// How well a derivation agrees with reference derivations (R4C, Inoue et al. 2020, section 2.2).
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "data/records.h"

namespace rubric {

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
std::vector<DerivationScores> score_derivation(const Derivation& candidate,
                                               std::span<const Derivation> references);

// For each scorer on its own the score of the reference with the largest sum, the first of equal
// ones (to 1e-12). `by_reference` must not be empty.
DerivationScores best_reference(std::span<const DerivationScores> by_reference);

// Whether a sum is larger, and not only the same numbers added in another order.
inline bool is_larger(double sum, double than) {
  return sum > than + 1e-12;
}

}  // namespace rubric
