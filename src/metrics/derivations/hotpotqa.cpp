#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "metrics/derivations/derivation_scores.h"
#include "metrics/ngram/squad.h"

namespace rubric::metrics {
namespace {

double harmonic_mean(double precision, double recall) {
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

bool is_closed_answer(const std::string& normalized) {
  constexpr std::array kClosed = {"yes", "no", "noanswer"};
  return std::find(kClosed.begin(), kClosed.end(), normalized) != kClosed.end();
}

}  // namespace

HotpotScore score_hotpot_answer(std::string_view gold, std::string_view predicted) {
  const std::string expected = normalize_answer(gold), given = normalize_answer(predicted);
  HotpotScore score;
  if (expected == given) score.exact_match = 1;
  if (expected != given && (is_closed_answer(expected) || is_closed_answer(given))) return score;
  const WordOverlap overlap = word_overlap(given, expected);
  if (overlap.common == 0) return score;
  score.precision = overlap.common / overlap.candidate;
  score.recall = overlap.common / overlap.reference;
  score.f1 = harmonic_mean(score.precision, score.recall);
  return score;
}

HotpotScore score_supporting_facts(std::span<const data::SupportingFact> gold,
                                   std::span<const data::SupportingFact> predicted) {
  const std::set<data::SupportingFact> expected(gold.begin(), gold.end());
  const std::set<data::SupportingFact> given(predicted.begin(), predicted.end());
  const auto common = static_cast<double>(
      std::count_if(given.begin(), given.end(),
                    [&](const data::SupportingFact& fact) { return expected.contains(fact); }));
  HotpotScore score;
  score.exact_match = expected == given ? 1 : 0;
  if (!given.empty()) score.precision = common / static_cast<double>(given.size());
  if (!expected.empty()) score.recall = common / static_cast<double>(expected.size());
  score.f1 = harmonic_mean(score.precision, score.recall);
  return score;
}

HotpotScore joint_score(const HotpotScore& answer, const HotpotScore& supporting_facts) {
  const double precision = answer.precision * supporting_facts.precision;
  const double recall = answer.recall * supporting_facts.recall;
  return {answer.exact_match * supporting_facts.exact_match, harmonic_mean(precision, recall),
          precision, recall};
}

}  // namespace rubric::metrics
