#include <gtest/gtest.h>

#include "eval/agreement/agreement.h"
#include "eval/resampling.h"

namespace rubric::eval {
namespace {

// Humans tell five of the six pairs apart; the metric orders four of them so and ties one.
TEST(SystemLevel, PairwiseAccuracyByHand) {
  const std::vector<double> human = {1, 2, 2, 4}, metric = {0.1, 0.3, 0.2, 0.3};
  EXPECT_NEAR(*system_agreement(human, metric).pairwise_accuracy, 4.0 / 5, 1e-12);
  const std::vector<double> other = {0.3, 0.1, 0.2, 0.3};
  EXPECT_NEAR(*system_agreement(human, other).pairwise_accuracy, 2.0 / 5, 1e-12);
}

TEST(SystemLevel, TwoSystemsHaveNoCorrelationAndTiedHumansNoAccuracy) {
  const std::vector<double> human = {1, 2}, metric = {3, 4}, tied = {1, 1};
  EXPECT_FALSE(system_agreement(human, metric).correlations.pearson);
  EXPECT_EQ(system_agreement(human, metric).pairwise_accuracy, 1);
  EXPECT_FALSE(system_agreement(tied, metric).pairwise_accuracy);
}

data::ScoredRows rows_of(const std::vector<std::string>& systems,
                         const std::vector<std::string>& ids) {
  data::ScoredRows rows;
  rows.systems = systems;
  rows.ids = ids;
  rows.rows.resize(ids.size(), Json(Json::Object()));
  rows.metrics = {"f1"};
  rows.scores.emplace_back();
  for (size_t i = 0; i < systems.size(); ++i) {
    rows.human.push_back(static_cast<double>(i % 3));
    rows.scores[0].push_back(static_cast<double>(i));
  }
  return rows;
}

SystemLevel level_of(const data::ScoredRows& rows, int64_t resamples) {
  return evaluate_systems(rows, RowQuestions(rows).clusters(), {.resamples = resamples});
}

TEST(SystemLevel, MeansAreOverEachSystemsRows) {
  const SystemLevel level = level_of(rows_of({"b", "a", "b", "a"}, {"1", "2", "3", "4"}), 10);
  EXPECT_EQ(level.systems, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(level.n, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(level.human, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(level.means[0], (std::vector<double>{1, 2}));
  EXPECT_EQ(level.values[0].pairwise_accuracy, 0);
}

// Two systems that answer the same questions equally well: resampled by question they always tie.
TEST(SystemLevel, RowsOfOneIdAreDrawnTogether) {
  data::ScoredRows rows = rows_of({"a", "a", "a", "b", "b", "b"}, {"1", "2", "3", "1", "2", "3"});
  rows.scores[0] = {1, 2, 3, 1, 2, 3};
  rows.human = {1, 2, 3, 2, 3, 4};
  const SystemLevel level = level_of(rows, 200);
  EXPECT_EQ(level.intervals[0].pairwise_accuracy->low, 0);
  EXPECT_EQ(level.intervals[0].pairwise_accuracy->high, 0);
  rows.ids = {"1", "2", "3", "4", "5", "6"};  // apart: b is sometimes above a
  EXPECT_EQ(level_of(rows, 200).intervals[0].pairwise_accuracy->high, 1);
}

TEST(SystemLevel, OneSystemHasMeansAlone) {
  const SystemLevel level = level_of(rows_of({"a", "a"}, {"1", "2"}), 10);
  EXPECT_EQ(level.means[0], (std::vector<double>{0.5}));
  EXPECT_TRUE(level.values.empty());
}

}  // namespace
}  // namespace rubric::eval
