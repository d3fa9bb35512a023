#include "stats/binary.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::stats::binary_test {

struct Labelled {
  std::vector<double> scores;
  std::vector<bool> is_positive;
};

Labelled labelled(const Json& json) {
  Labelled records;
  for (const Json& score : json.find("scores")->array()) records.scores.push_back(score.number());
  for (const Json& label : json.find("labels")->array()) {
    records.is_positive.push_back(label.number() == 1);
  }
  return records;
}

// null is infinity: no record is called positive.
void expect_threshold(double ours, const Json& theirs) {
  if (theirs.is_null()) {
    EXPECT_TRUE(std::isinf(ours));
  } else {
    EXPECT_DOUBLE_EQ(ours, theirs.number());
  }
}

TEST(BinaryLabels, EqualsScikitLearn) {
  const std::string where = std::string(fixtures_folder()) + "/binary_agreement/levels.json";
  const Json all = Json::parse_file(where);
  EXPECT_EQ(all.array().size(), 11u);
  for (const Json& each : all.array()) {
    SCOPED_TRACE(each.find("name")->string());
    const Labelled records = labelled(each);
    const std::vector<ScoreLevel> levels = score_levels(records.scores, records.is_positive);
    expect_threshold(best_threshold(levels, ThresholdGoal::accuracy),
                     *each.find("accuracy_threshold"));
    expect_threshold(best_threshold(levels, ThresholdGoal::f1), *each.find("f1_threshold"));
    const std::optional<double> auc = roc_auc(levels);
    ASSERT_EQ(auc.has_value(), each.find("roc_auc")->is_number());
    EXPECT_EQ(auc.has_value(), has_both_labels(levels));
    if (!auc) continue;
    EXPECT_NEAR(*auc, each.find("roc_auc")->number(), 1e-12);
    const LogisticCurve curve = fit_logistic_curve(levels);
    const Json::Array& probabilities = each.find("probabilities")->array();
    for (size_t i = 0; i < records.scores.size(); ++i) {
      EXPECT_NEAR(curve(records.scores[i]), probabilities[i].number(), 1e-9);
    }
    std::vector<ScoreLevel> calibrated = levels;
    for (ScoreLevel& level : calibrated) level.score = curve(level.score);
    EXPECT_NEAR(*calibration_error(calibrated), each.find("ece")->number(), 1e-9);
  }
}

TEST(BinaryLabels, ThresholdsSeparateNeighboursInTheLastBit) {
  const double low = 1, high = std::nextafter(low, 2);
  const std::vector<ScoreLevel> levels = {{low, 0, 3}, {high, 3, 0}};
  EXPECT_EQ(best_threshold(levels, ThresholdGoal::accuracy), high);
  const double greatest = std::numeric_limits<double>::max();
  const std::vector<ScoreLevel> apart = {{-greatest, 0, 1}, {greatest, 1, 0}};
  EXPECT_EQ(best_threshold(apart, ThresholdGoal::f1), 0);
}

TEST(BinaryLabels, CountsAreOfCallsAndLabels) {
  const std::vector<ScoreLevel> levels = {{0, 1, 5}, {0.5, 2, 3}, {1, 4, 1}};
  const YesNoCounts counts = counts_at(levels, 0.5);
  EXPECT_EQ(counts.both, 6);
  EXPECT_EQ(counts.first_only, 4);
  EXPECT_EQ(counts.second_only, 1);
  EXPECT_EQ(counts.neither, 5);
}

TEST(BinaryLabels, NothingIsUndefinedInstead) {
  const std::vector<ScoreLevel> none;
  EXPECT_FALSE(roc_auc(none));
  EXPECT_FALSE(calibration_error(none));
  EXPECT_TRUE(std::isinf(best_threshold(none, ThresholdGoal::f1)));
  EXPECT_TRUE(score_levels({}, {}).empty());
  EXPECT_FALSE(calibration_error({{std::nan(""), 1, 0}, {0.5, 1, 1}}));
  EXPECT_THROW(score_levels(std::vector<double>{1}, {}), Error);
}

// Four records in two bins: the two at 0.1 and the one at 0.2 have fewer than half below them.
TEST(BinaryLabels, EqualProbabilitiesShareABin) {
  const std::vector<ScoreLevel> levels = {{0.9, 1, 0}, {0.1, 1, 1}, {0.2, 0, 1}};
  const double first = std::abs(0.1 + 0.1 - 1), second = std::abs(0.2 + 0.9 - 1);
  EXPECT_NEAR(*calibration_error(levels, 2), (first + second) / 4, 1e-12);
  const double all = std::abs(0.1 + 0.1 + 0.2 + 0.9 - 2);
  EXPECT_NEAR(*calibration_error(levels, 1), all / 4, 1e-12);
}

}  // namespace rubric::stats::binary_test
