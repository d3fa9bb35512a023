#include <gtest/gtest.h>

#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"
#include "messages.h"

namespace rubric::eval {
namespace {

TEST(RevText, SmallFiguresAreNotZero) {
  EXPECT_EQ(rev_text(0.66844, 4), "0.6684");
  EXPECT_EQ(rev_text(-0.00012, 4), "-0.0001");
  EXPECT_EQ(rev_text(1.08e-6, 4), "1.1e-06");  // e-SNLI's, in the paper's Table 1
  EXPECT_EQ(rev_text(0, 4), "0.0000");
}

RevEvaluation evaluation_of(const std::vector<data::ScoredRationale>& rows) {
  return evaluate_rev(std::vector<RevPairs>{{"gold", {rows}}, {"other", {five_rationales()}}},
                      {.resamples = 50});
}

TEST(RevTables, TellUndefinedFromNotScored) {
  std::vector<data::ScoredRationale> rows = five_rationales();
  for (data::ScoredRationale& row : rows) {
    row.sim_r = row.label;
    row.rev.reset();
  }
  const RevEvaluation evaluation = evaluation_of(rows);
  const Table table = rev_tables(evaluation, std::nullopt).at(0);
  EXPECT_EQ(table.rows[0][1], "not scored");
  EXPECT_EQ(table.rows[0][2], "–");
  expect_contains(join(table.notes), "LAS of gold is undefined");
  expect_contains(table.rows[1][2], "0.5000 [");
  // With five rows some resamples have one group alone.
  expect_contains(join(table.notes), "LAS of other: ");
  expect_contains(join(table.notes), "resamples without rows in both groups");
}

TEST(RevTables, TellWhatIsLeftOutAndHowBaselinesWereMade) {
  std::vector<data::ScoredRationale> rows = five_rationales(), others = five_rationales();
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].baseline = others[i].baseline = "b";
    rows[i].baseline_by = "rules";
    others[i].baseline_by = i == 0 ? "statements" : "rules";
  }
  const auto notes = [&](const std::vector<RevPairs>& pairs) {
    return join(rev_tables(evaluate_rev(pairs, {.resamples = 2}), std::nullopt).at(0).notes);
  };
  const std::string all = notes({{"gold", {rows, rows}, {{"8"}, {}}}, {"x_yr", {others}, {{"9"}}}});
  expect_contains(all,
                  "Only the 5 of 7 rows that all files hold, with all scores; left out: 1 and 0 "
                  "of gold, 1 of x_yr");
  expect_contains(all, "not made alike");
  expect_contains(all, "gold by rules; x_yr by rules and statements");
  const std::string same = notes({{"gold", {rows}}, {"x_yr", {rows}}});
  EXPECT_EQ(same.find("left out"), std::string::npos);
  EXPECT_EQ(same.find("alike"), std::string::npos);
}

TEST(RevPlots, ShowWhatAnyKindHas) {
  std::vector<data::ScoredRationale> rows = five_rationales();
  EXPECT_EQ(rev_plots(evaluation_of(rows), std::nullopt).size(), 3u);
  for (data::ScoredRationale& row : rows) row.rev.reset();
  const RevEvaluation evaluation =
      evaluate_rev(std::vector<RevPairs>{{"gold", {rows}}}, {.resamples = 50});
  const std::vector<Plot> plots = rev_plots(evaluation, std::nullopt);
  ASSERT_EQ(plots.size(), 2u);
  expect_contains(plots[0].title, "LAS by kind");
  EXPECT_EQ(plots[0].series.at(0).points.at(0).x, 0.5);
}

}  // namespace
}  // namespace rubric::eval
