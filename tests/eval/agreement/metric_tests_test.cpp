#include <gtest/gtest.h>

#include "eval/agreement/agreement.h"
#include "eval/result/render.h"
#include "stats/correlation.h"

namespace rubric::eval::metric_tests_test {

const std::vector<double> kHuman = {1, 2, 3, 4, 5, 6};
const std::vector<std::vector<double>> kScores = {
    {1, 2, 3, 4, 6, 5}, {3, 1, 2, 6, 4, 5}, {1, 1, 1, 1, 1, 1}};

const stats::Clusters kApart = {{0, 1, 2, 3, 4, 5}, 6};

TEST(MetricTests, PairsWithAnUndefinedCorrelationHaveNoTest) {
  const auto tests = test_correlations(kHuman, kScores, {}, AgreementTest::williams, {});
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_FALSE(tests[1] || tests[2]);
  const double difference =
      *stats::pearson(kHuman, kScores[0]) - *stats::pearson(kHuman, kScores[1]);
  EXPECT_NEAR(tests[0]->difference, difference, 1e-12);
}

// By its definition: all 64 exchanges of the standardised scores.
TEST(MetricTests, PermutationExchangesStandardisedScores) {
  const auto tests =
      test_correlations(kHuman, kScores, kApart, AgreementTest::permutation, {.permutations = 64});
  ASSERT_EQ(tests.size(), 3u);
  std::vector<double> doubled = kScores[0];
  for (double& score : doubled) score = 100 * score + 7;  // another scale, the same test
  const std::vector<std::vector<double>> scaled = {doubled, kScores[1]};
  const auto same =
      test_correlations(kHuman, scaled, kApart, AgreementTest::permutation, {.permutations = 64});
  EXPECT_NEAR(tests[0]->p, same[0]->p, 1e-12);
  // Both series are permutations of 1 … 6: exchanging standardised scores is exchanging scores.
  int larger = 0;
  for (unsigned exchange = 0; exchange < 64; ++exchange) {
    std::vector<double> a = kScores[0], b = kScores[1];
    for (size_t i = 0; i < 6; ++i) {
      if ((exchange >> i & 1) != 0) std::swap(a[i], b[i]);
    }
    const double value = *stats::pearson(kHuman, a) - *stats::pearson(kHuman, b);
    larger += std::abs(value) >= tests[0]->difference - 1e-9 ? 1 : 0;
  }
  EXPECT_NEAR(tests[0]->p, larger / 64.0, 1e-12);
}

// 0.1 + 0.2 is 0.30000000000000004: of the three pairs of systems the first is no pair.
TEST(SystemAgreement, MeansThatDifferByRoundingTie) {
  const std::vector<double> human = {0.3, 0.1 + 0.2, 1}, metric = {2, 1, 3};
  ASSERT_NE(human[0], human[1]);
  EXPECT_EQ(system_agreement(human, metric).back(), 1);
  EXPECT_EQ(system_agreement(metric, human).back(), 2 / 3.0);
}

TEST(MetricTests, AccuraciesAreComparedWhereTheyDiffer) {
  // Only the first is right on 3, only the second on 1: p = 2 (1 + 4) / 16.
  const std::vector<std::vector<bool>> right = {{true, true, true, false, true},
                                                {false, false, false, true, true}};
  const auto tests = test_accuracies(right);
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_NEAR(tests[0]->p, 0.625, 1e-12);
  EXPECT_NEAR(tests[0]->difference, 0.4, 1e-12);
}

TEST(MetricTests, ADifferenceIsFoundInEitherOrder) {
  const std::vector<Measurement> measurements = {
      {.keys = {.metric = "a", .against = "b", .group = "g"}, .statistic = "difference"}};
  for (const Keys& keys : {Keys{.metric = "a", .against = "b", .group = "g"},
                           Keys{.metric = "b", .against = "a", .group = "g"}}) {
    EXPECT_EQ(find_difference(measurements, keys), measurements.data());
  }
  EXPECT_EQ(find_difference(measurements, {.metric = "a", .against = "b"}), nullptr);
}

TEST(MetricTests, TheCorrectionSaysOverHowManyTestsItIs) {
  EXPECT_EQ(correction_note(3), "p: Holm-corrected over all 3 tests between two metrics");
  EXPECT_EQ(correction_note(2, 1),
            "p: Holm-corrected over all 2 tests between two metrics; apart from these, over one "
            "test of rows with unseen questions");
}

}  // namespace rubric::eval::metric_tests_test
