#include <map>

#include <gtest/gtest.h>

#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"

namespace rubric::eval::scores_test {

const std::vector<uint32_t> kOnce(5, 1);

TEST(RevValues, ByHand) {
  const RevScores scores = rev_scores(five_rationales());
  EXPECT_EQ(scores.values[kRev], (std::vector<double>{0.5, 0.25, -0.5, 1, 0}));
  EXPECT_EQ(scores.values[kLas], (std::vector<double>{1, 0, -1, 1, 1}));
  EXPECT_EQ(scores.values[kRq], (std::vector<double>{1, 0, -1, 1, -1}));
  EXPECT_EQ(scores.leaks, (std::vector<bool>{true, true, true, false, false}));
  const RevValues figures = rev_values(scores, kOnce);
  EXPECT_DOUBLE_EQ(*figures[kRev], 0.25);
  EXPECT_DOUBLE_EQ(*figures[kLas], 0.5);
  EXPECT_DOUBLE_EQ(*figures[kRq], 0);
}

// The first row twice, the fourth three times, the third and fifth never: REV (2 * 0.5 + 0.25 + 3 *
// 1) / 6, LAS (2/3 + 3/3) / 2, RQ (2 + 0 + 3) / 6.
TEST(RevValues, CountRowsAsOftenAsTheyAreDrawn) {
  const std::vector<uint32_t> counts = {2, 1, 0, 3, 0};
  const RevValues figures = rev_values(rev_scores(five_rationales()), counts);
  EXPECT_DOUBLE_EQ(*figures[kRev], 4.25 / 6);
  EXPECT_DOUBLE_EQ(*figures[kLas], (2.0 / 3 + 1) / 2);
  EXPECT_DOUBLE_EQ(*figures[kRq], 5.0 / 6);
}

TEST(RevValues, LasOfOneGroupAloneIsUndefined) {
  const RevScores scores = rev_scores(five_rationales());
  const std::vector<uint32_t> leaking = {1, 1, 1, 0, 0}, others = {0, 0, 0, 1, 1};
  EXPECT_FALSE(rev_values(scores, leaking)[kLas]);
  EXPECT_FALSE(rev_values(scores, others)[kLas]);
  EXPECT_TRUE(rev_values(scores, others)[kRq]);
}

std::vector<data::ScoredRationale> without(std::string data::ScoredRationale::*simulated) {
  std::vector<data::ScoredRationale> rows = five_rationales();
  for (data::ScoredRationale& row : rows) (row.*simulated).clear();
  return rows;
}

TEST(RevValues, WhatIsMissingIsNotScored) {
  const RevScores without_r = rev_scores(without(&data::ScoredRationale::sim_r));
  EXPECT_FALSE(without_r.has(kLas));
  EXPECT_TRUE(without_r.has(kRq));
  EXPECT_FALSE(rev_values(without_r, kOnce)[kLas]);
  const RevScores without_x = rev_scores(without(&data::ScoredRationale::sim_x));
  EXPECT_FALSE(without_x.has(kLas));
  EXPECT_FALSE(without_x.has(kRq));
  EXPECT_FALSE(rev_scores(without(&data::ScoredRationale::sim_xr)).has(kRq));
  std::vector<data::ScoredRationale> rows = five_rationales();
  for (data::ScoredRationale& row : rows) {
    row.gold.clear();
    row.rev.reset();
  }
  EXPECT_FALSE(rev_scores(rows).has(kRq));
  EXPECT_FALSE(rev_values(rev_scores(rows), kOnce)[kRev]);
  EXPECT_TRUE(rev_scores(rows).has(kLas));
}

std::map<std::string, std::optional<double>> details_of(
    const std::vector<data::ScoredRationale>& rows) {
  const RevDetails details = rev_details(rows, rev_scores(rows));
  return {details.begin(), details.end()};
}

TEST(RevDetails, ByHand) {
  auto details = details_of(five_rationales());
  EXPECT_DOUBLE_EQ(*details["positive"], 3.0 / 5);  // 0 is not above 0
  EXPECT_DOUBLE_EQ(*details["correct_labels"], 4.0 / 5);
  EXPECT_DOUBLE_EQ(*details["sim_x"], 2.0 / 5);
  EXPECT_DOUBLE_EQ(*details["sim_r"], 3.0 / 5);
  EXPECT_DOUBLE_EQ(*details["sim_xr"], 4.0 / 5);
  EXPECT_DOUBLE_EQ(*details["sim_x_gold"], 3.0 / 5);
  EXPECT_DOUBLE_EQ(*details["sim_r_gold"], 3.0 / 5);
  EXPECT_DOUBLE_EQ(*details["sim_xr_gold"], 3.0 / 5);
  EXPECT_DOUBLE_EQ(*details["leaking"], 3);
  EXPECT_DOUBLE_EQ(*details["non_leaking"], 2);
  EXPECT_DOUBLE_EQ(*details["las_leaking"], 0);
  EXPECT_DOUBLE_EQ(*details["las_non_leaking"], 1);
}

TEST(RevDetails, WhatIsMissingIsNothing) {
  auto details = details_of(without(&data::ScoredRationale::sim_r));
  for (const char* const name : {"sim_r", "sim_r_gold", "leaking", "non_leaking", "las_leaking"}) {
    EXPECT_FALSE(details[name]) << name;
  }
  EXPECT_TRUE(details["sim_x"]);
}

}  // namespace rubric::eval::scores_test
