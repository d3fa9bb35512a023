#include <algorithm>
#include <string>

#include "core/text/utf8.h"
#include "metrics/derivations/derivation_scores.h"
#include "text/unicode/unicode.h"

namespace rubric::metrics {
namespace {

// The length in code points of a UTF-8 text.
size_t length_of(std::string_view text) {
  constexpr unsigned kMask = 0xC0, kContinuation = 0x80;
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & kMask) != kContinuation; }));
}

struct Phrase {
  explicit Phrase(std::string_view text)
      : lower(decode_utf8(text::lower_case(text))), size(length_of(text)) {}
  std::u32string lower;
  size_t size;  // before lower-casing, which can change it
};

// A phrase prepared for many comparisons.
struct PhrasePattern {
  explicit PhrasePattern(const Phrase& phrase) : pattern(phrase.lower), size(phrase.size) {}
  LevenshteinPattern pattern;
  size_t size;
};

struct StepPhrases {
  explicit StepPhrases(const data::DerivationStep& step)
      : head(step.head), relation(step.relation), tail(step.tail) {}
  Phrase head, relation, tail;
};

struct StepPatterns {
  explicit StepPatterns(const StepPhrases& step)
      : head(step.head), relation(step.relation), tail(step.tail) {}
  PhrasePattern head, relation, tail;
};

double similarity(const PhrasePattern& pattern, const Phrase& phrase) {
  const size_t longer = std::max(pattern.size, phrase.size);
  if (longer == 0) return 1;
  const auto distance = static_cast<double>(pattern.pattern.distance(phrase.lower));
  return 1 - distance / static_cast<double>(longer);
}

using Similarities = std::vector<std::vector<double>>;  // [candidate step][reference step]

// By scorer: a(d, g) of section 2.2.
std::array<Similarities, kStepScorers.size()> step_similarities(
    const std::vector<StepPatterns>& candidate, const std::vector<StepPhrases>& reference) {
  std::array<Similarities, kStepScorers.size()> all;
  for (Similarities& one : all) one.resize(candidate.size(), std::vector<double>(reference.size()));
  for (size_t i = 0; i < candidate.size(); ++i) {
    for (size_t j = 0; j < reference.size(); ++j) {
      const double heads = similarity(candidate[i].head, reference[j].head);
      const double relations = similarity(candidate[i].relation, reference[j].relation);
      const double tails = similarity(candidate[i].tail, reference[j].tail);
      all[0][i][j] = (heads + tails) / 2;
      all[1][i][j] = relations;
      all[2][i][j] = (heads + relations + tails) / 3;
    }
  }
  return all;
}

// Pairs with similarity 0 or less are not aligned, as in the official integer program, to which
// they add nothing. A similarity is negative where lower case is longer than the text ("İ").
DerivationScore align(const Similarities& similarities, size_t reference_size) {
  DerivationScore score;
  Similarities weights = similarities;
  for (std::vector<double>& row : weights) {
    for (double& weight : row) weight = std::max(weight, 0.0);
  }
  for (const auto& [i, j] : best_assignment(weights)) {
    if (similarities[i][j] <= 0) continue;
    score.sum += similarities[i][j];
    score.alignment.push_back({i, j, similarities[i][j]});
  }
  if (score.sum > 0) {
    score.precision = score.sum / static_cast<double>(similarities.size());
    score.recall = score.sum / static_cast<double>(reference_size);
    score.f1 = 2 * score.precision * score.recall / (score.precision + score.recall);
  }
  return score;
}

}  // namespace

double phrase_similarity(std::string_view a, std::string_view b) {
  return similarity(PhrasePattern(Phrase(a)), Phrase(b));
}

std::vector<DerivationScores> score_derivation(const data::Derivation& candidate,
                                               std::span<const data::Derivation> references) {
  std::vector<StepPatterns> steps;
  for (const data::DerivationStep& step : candidate) steps.emplace_back(StepPhrases(step));
  std::vector<DerivationScores> by_reference(references.size());
  for (size_t r = 0; r < references.size(); ++r) {
    const std::vector<StepPhrases> reference(references[r].begin(), references[r].end());
    const auto similarities = step_similarities(steps, reference);
    for (size_t scorer = 0; scorer < similarities.size(); ++scorer) {
      by_reference[r][scorer] = align(similarities[scorer], references[r].size());
      by_reference[r][scorer].reference = r;
    }
  }
  return by_reference;
}

DerivationScores best_reference(std::span<const DerivationScores> by_reference) {
  DerivationScores best = by_reference[0];
  for (const DerivationScores& scores : by_reference.subspan(1)) {
    for (size_t scorer = 0; scorer < best.size(); ++scorer) {
      if (is_larger(scores[scorer].sum, best[scorer].sum)) best[scorer] = scores[scorer];
    }
  }
  return best;
}

}  // namespace rubric::metrics
