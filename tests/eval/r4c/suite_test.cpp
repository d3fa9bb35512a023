#include <bit>

#include <gtest/gtest.h>

#include "eval/r4c/r4c.h"

namespace rubric::eval::r4c_suite_test {

data::DerivationStep step(const std::string& head, const std::string& relation,
                          const std::string& tail) {
  return {"T", 0, head, relation, tail};
}

// A candidate and five references, two of which fit equally well.
const data::Derivation kCandidate = {step("ann", "is", "tall"), step("bob", "was", "old")};
const std::vector<data::Derivation> kReferences = {
    {step("ann", "is", "small")},
    {step("ann", "is", "tall"), step("bob", "was", "old"), step("x", "y", "z")},
    {step("bob", "was", "old"), step("ann", "is", "tall")},
    {step("carl", "has", "a dog"), step("bo", "were", "older")},
    {step("q", "q", "q")}};

TEST(R4cSuite, AveragesOverAllChoicesAsAListOfThemDoes) {
  data::R4cPredictions predictions;
  predictions.derivations["q"] = kCandidate;
  const std::vector<data::DerivationQuestion> gold = {{"q", kReferences}};
  const R4cEvaluation evaluation = evaluate_r4c(gold, predictions, nullptr, {});
  ASSERT_EQ(evaluation.by_references.size(), kReferences.size());
  for (size_t n = 1; n <= kReferences.size(); ++n) {
    R4cMeans sums{};
    int choices = 0;
    for (unsigned subset = 0; subset < (1u << kReferences.size()); ++subset) {
      if (std::popcount(subset) != static_cast<int>(n)) continue;
      std::vector<data::Derivation> chosen;
      for (size_t i = 0; i < kReferences.size(); ++i) {
        if ((subset >> i & 1) != 0) chosen.push_back(kReferences[i]);
      }
      const metrics::DerivationScores best =
          metrics::best_reference(metrics::score_derivation(kCandidate, chosen));
      for (size_t scorer = 0; scorer < sums.size(); ++scorer) {
        sums[scorer].precision += best[scorer].precision;
        sums[scorer].recall += best[scorer].recall;
        sums[scorer].f1 += best[scorer].f1;
      }
      ++choices;
    }
    for (size_t scorer = 0; scorer < sums.size(); ++scorer) {
      const PrecisionRecallF1& means = evaluation.by_references[n - 1][scorer];
      EXPECT_NEAR(means.precision, sums[scorer].precision / choices, 1e-12) << n;
      EXPECT_NEAR(means.recall, sums[scorer].recall / choices, 1e-12) << n;
      EXPECT_NEAR(means.f1, sums[scorer].f1 / choices, 1e-12) << n;
    }
  }
}

TEST(R4cSuite, ManyReferencesGiveTenRows) {
  data::R4cPredictions predictions;
  predictions.derivations["q"] = kCandidate;
  const std::vector<data::DerivationQuestion> gold = {
      {"q", std::vector<data::Derivation>(2000, kReferences.front())}};
  EXPECT_EQ(evaluate_r4c(gold, predictions, nullptr, {}).by_references.size(), 10u);
}

}  // namespace rubric::eval::r4c_suite_test
