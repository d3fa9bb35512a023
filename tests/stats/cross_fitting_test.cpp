#include "stats/cross_fitting.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace rubric::stats::cross_fitting_test {

// 60 records with three predictions, the last of which is the sum of the others; 40 have labels.
struct Example {
  std::vector<std::vector<double>> predictions = std::vector<std::vector<double>>(3);
  std::vector<uint32_t> labelled;
  std::vector<double> labels;
  Clusters clusters;  // of two records

  Example() {
    for (uint32_t i = 0; i < 60; ++i) {
      const auto draw = [&](uint64_t what) {
        return uniform(random_bits(7, Purpose::bootstrap, what, i));
      };
      predictions[0].push_back(draw(0));
      predictions[1].push_back(1000 * draw(1));
      predictions[2].push_back(predictions[0][i] + predictions[1][i]);
      clusters.of.push_back(i / 2);
      if (i >= 40) continue;
      labelled.push_back(i);
      labels.push_back(truth(i));
    }
    clusters.count = 30;
  }

  double truth(size_t i) const { return 3 * predictions[0][i] - 0.02 * predictions[1][i] + 5; }
  std::vector<double> combined() const {
    return cross_fitted(predictions, labelled, labels, clusters);
  }
};

TEST(CrossFitting, FindsALinearRelation) {
  const Example example;
  const std::vector<double> combined = example.combined();
  // Labels are from -15 to 8; the ridge takes up to some hundredths.
  for (size_t i = 0; i < 60; ++i) EXPECT_NEAR(combined[i], example.truth(i), 0.4) << i;
}

TEST(CrossFitting, NoLabelPredictsItselfOrItsCluster) {
  Example example;
  const std::vector<double> before = example.combined();
  example.labels[6] += 100;
  const std::vector<double> after = example.combined();
  EXPECT_NEAR(after[6], before[6], 1e-9);
  EXPECT_NEAR(after[7], before[7], 1e-9);
  size_t changed = 0;
  for (size_t i = 0; i < 60; ++i) changed += std::abs(after[i] - before[i]) > 0.1 ? 1 : 0;
  EXPECT_GT(changed, 45u);
}

TEST(CrossFitting, AConstantPredictionAddsNothing) {
  Example example;
  example.predictions[1].assign(60, 4.0);
  example.predictions[2] = example.predictions[0];
  for (size_t l = 0; l < 40; ++l) example.labels[l] = example.predictions[0][l];
  const std::vector<double> combined = example.combined();
  for (size_t i = 0; i < 60; ++i) EXPECT_NEAR(combined[i], example.predictions[0][i], 0.02) << i;
}

// Two metrics agree on labelled records but for one, and not on others: what they differ by there
// must not be taken from that one label.
TEST(CrossFitting, WhatLabelsHardlyTellOfGetsASmallCoefficient) {
  Example example;
  example.predictions.pop_back();
  for (size_t i = 0; i < 60; ++i) {
    example.predictions[1][i] = example.predictions[0][i] + (i == 0       ? 0.01
                                                             : i < 40     ? 0
                                                             : i % 2 == 0 ? 0.5
                                                                          : -0.5);
  }
  for (size_t l = 0; l < 40; ++l) example.labels[l] = example.predictions[0][l] + (l == 0 ? 1 : 0);
  const std::vector<double> combined = example.combined();
  for (size_t i = 40; i < 60; ++i) EXPECT_NEAR(combined[i], example.predictions[0][i], 0.4) << i;
}

// Two clusters with equal labels: each fold's fit is that of the other's two.
TEST(CrossFitting, IsARidge) {
  const Clusters clusters{{0, 0, 1, 1, 2, 3}, 4};
  const std::vector<std::vector<double>> predictions = {{1, 3, 1, 3, 5, 7}};
  const std::vector<uint32_t> labelled = {0, 1, 2, 3};
  const std::vector<double> labels = {10, 16, 10, 16};
  // Products 6 and 2, variance 41 / 9 of all, 2 labels, through (2, 13).
  const double slope = 6 / (2 + 0.03 * 41 / 9 * 2);
  const std::vector<double> combined = cross_fitted(predictions, labelled, labels, clusters);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(combined[i], 13 + slope * (predictions[0][i] - 2), 1e-12);
  }
}

// No label is left to fit slopes to that would not predict themselves.
TEST(CrossFitting, OneLabelledClusterGivesItsMean) {
  Example example;
  example.labelled = {0, 1};
  example.labels = {2, 5};
  for (const double value : example.combined()) EXPECT_NEAR(value, 3.5, 1e-12);
}

}  // namespace rubric::stats::cross_fitting_test
