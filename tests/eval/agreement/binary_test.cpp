#include <gtest/gtest.h>

#include "eval/agreement/agreement.h"
#include "messages.h"

namespace rubric::eval::binary_test {

TEST(BinaryAgreement, LabelsAreOfExactlyTwoValues) {
  const std::vector<double> two = {5, 1, 5}, one = {1, 1}, three = {0, 1, 0.5};
  EXPECT_EQ(binary_labels(two)->negative, 1);
  EXPECT_EQ(binary_labels(two)->positive, 5);
  EXPECT_FALSE(binary_labels(one));
  EXPECT_FALSE(binary_labels(three));
  EXPECT_FALSE(binary_labels({}));
}

TEST(BinaryAgreement, HalvesGoByTheHashesOfQuestions) {
  const stats::Clusters questions{{0, 0, 1, 2, 1}, 3};
  const std::vector<uint64_t> hashes = {9, 9, 4, 7, 4};
  EXPECT_EQ(second_half(questions, hashes), (std::vector<bool>{true, true, false, true, false}));
  const stats::Clusters one{{0, 0}, 1};
  EXPECT_EQ(second_half(one, std::vector<uint64_t>{3, 3}), (std::vector<bool>{true, true}));
}

// The first half separates at 0.5, the second at 0.25.
TEST(BinaryAgreement, EachHalfIsMeasuredWithTheOthersThreshold) {
  const std::vector<double> scores = {0.4, 0.6, 0.2, 0.3};
  const BinaryRows rows{{false, true, false, true}, {false, false, true, true}};
  EXPECT_TRUE(has_halves(rows));
  const BinaryAgreement agreement = binary_agreement(scores, rows);
  EXPECT_EQ(agreement.accuracy.half_thresholds, (std::array<double, 2>{0.5, 0.25}));
  EXPECT_EQ(agreement.accuracy.value, 0.5);  // 0.4 is above 0.25, 0.3 is below 0.5
  EXPECT_EQ(predicted_positive(scores, rows, agreement.accuracy),
            (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(agreement.roc_auc, 0.75);
}

TEST(BinaryAgreement, AHalfWithOneLabelHasNoValuesAcross) {
  const std::vector<double> scores = {0.4, 0.6, 0.2, 0.3};
  const BinaryRows rows{{true, true, false, true}, {false, false, true, true}};
  EXPECT_TRUE(has_both_labels(rows));
  EXPECT_FALSE(has_halves(rows));
  const BinaryAgreement agreement = binary_agreement(scores, rows);
  EXPECT_TRUE(agreement.roc_auc);
  EXPECT_FALSE(agreement.accuracy.value || agreement.f1.value || agreement.calibration_error);
  EXPECT_EQ(agreement.accuracy.threshold, 0.25);
}

// Dev rows separate at 0.5, which calls 0.6 and 0.5 positive; their curve is 1/2 in the middle.
TEST(BinaryAgreement, DevRowsMeasureRowsOfOneLabelToo) {
  const std::vector<double> dev_scores = {0.4, 0.6}, scores = {0.2, 0.6, 0.5};
  const std::vector<DevChoice> dev = {choose_on_dev(dev_scores, {false, true})};
  EXPECT_NEAR(dev[0].curve(0.5), 0.5, 1e-12);
  const BinaryRows positive{{true, true, true}, {}, dev}, negative{{false, false, false}, {}, dev};
  const BinaryAgreement right = binary_agreement(scores, positive, 0);
  EXPECT_EQ(right.accuracy.threshold, 0.5);
  EXPECT_FALSE(right.accuracy.half_thresholds);
  EXPECT_NEAR(*right.accuracy.value, 2.0 / 3, 1e-12);
  EXPECT_NEAR(*right.f1.value, 4.0 / 5, 1e-12);
  EXPECT_FALSE(right.roc_auc);
  EXPECT_TRUE(right.calibration_error);
  EXPECT_EQ(predicted_positive(scores, positive, right.accuracy),
            (std::vector<bool>{false, true, true}));
  const BinaryAgreement wrong = binary_agreement(scores, negative, 0);
  EXPECT_NEAR(*wrong.accuracy.value, 1.0 / 3, 1e-12);
  EXPECT_FALSE(wrong.f1.value);  // 0 whatever is called
}

TEST(PairItems, AreQuestionsThatMostRowsShare) {
  EXPECT_EQ(pair_items({{0, 0, 1, 2}, 3}).count, 3u);
  EXPECT_EQ(pair_items({{0, 0, 1, 2, 3}, 4}).count, 1u);
  EXPECT_EQ(pair_items({{0, 1, 2}, 3}).of, (std::vector<uint32_t>{0, 0, 0}));
}

}  // namespace rubric::eval::binary_test
