#include <gtest/gtest.h>

#include "eval/result/render.h"
#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"
#include "measured.h"
#include "messages.h"

namespace rubric::eval::rev_result_test {

RevEvaluation evaluation_of(const std::vector<data::ScoredRationale>& rows) {
  return evaluate_rev(std::vector<RevPairs>{{"gold", {rows}}, {"other", {five_rationales()}}},
                      {.resamples = 50});
}

TEST(RevResult, TellsUndefinedFromNotScored) {
  std::vector<data::ScoredRationale> rows = five_rationales();
  for (data::ScoredRationale& row : rows) {
    row.sim_r = row.label;
    row.rev.reset();
  }
  const Result result = rev_result(evaluation_of(rows), std::nullopt, false);
  const Table table = result_tables(result, kPrintedText).at(0);
  EXPECT_EQ(table.rows[0][1], "–");
  EXPECT_EQ(table.rows[0][2], "–");
  expect_contains(table.rows[1][2], "0.5000 [");
  const std::string notes = join(result.notes);
  expect_says(notes, {"REV of gold: not scored", "LAS of gold is undefined"});
  // With five rows some resamples have one group alone.
  expect_says(notes, {"LAS of other: ", "resamples without rows in both groups"});
  const Json json = to_json(result);
  const auto why = [&](const std::string& statistic, const Keys& keys) {
    return measured(json, statistic, keys).find("why_missing")->string();
  };
  EXPECT_EQ(why("mean", {.metric = "rev", .system = "gold"}), "not scored");
  EXPECT_EQ(why("mean", {.metric = "las", .system = "gold"}),
            "in a seed all rows leak, or none does");
  EXPECT_EQ(why("las_non_leaking", {.system = "gold"}), "no such rows");
}

TEST(RevResult, HasEachSeedAndTheirMean) {
  std::vector<data::ScoredRationale> second = five_rationales();
  for (data::ScoredRationale& row : second) *row.rev += 1;
  second[0].sim_r = "b";  // leaks no more
  const std::vector<RevPairs> pairs = {{"gold", {five_rationales(), second}}};
  const Result result =
      rev_result(evaluate_rev(pairs, {.resamples = 20}), std::nullopt, /*resampled=*/true);
  const Json json = to_json(result);
  EXPECT_DOUBLE_EQ(value_of(json, "mean", {.metric = "rev", .system = "gold", .seed = "1"}), 0.25);
  EXPECT_DOUBLE_EQ(value_of(json, "mean", {.metric = "rev", .system = "gold", .seed = "2"}), 1.25);
  EXPECT_EQ(value_of(json, "seeds", {.system = "gold"}), 2);
  EXPECT_EQ(value_of(json, "leaking", {.system = "gold"}), 2.5);
  for (const Measurement& one : result.measurements) {
    EXPECT_EQ(one.resampled.size(), one.interval ? 20u : 0u) << one.statistic;
    if (one.statistic != "mean" || one.keys.metric != "rev" || !one.keys.seed.empty()) continue;
    EXPECT_DOUBLE_EQ(*one.value, 0.75);
    EXPECT_EQ(one.n, 5);
  }
  EXPECT_EQ(result_tables(result, kPrintedText).at(1).rows[0][6], "2.5");  // leaking
}

TEST(RevResult, TellsWhatIsLeftOutAndHowBaselinesWereMade) {
  std::vector<data::ScoredRationale> rows = five_rationales(), others = five_rationales();
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].baseline = others[i].baseline = "b";
    rows[i].baseline_by = "rules";
    others[i].baseline_by = i == 0 ? "statements" : "rules";
  }
  const auto notes = [&](const std::vector<RevPairs>& pairs) {
    return join(rev_result(evaluate_rev(pairs, {.resamples = 2}), std::nullopt, false).notes);
  };
  const std::string all = notes({{"gold", {rows, rows}, {{"8"}, {}}}, {"x_yr", {others}, {{"9"}}}});
  expect_says(all, {"Only the 5 of 7 rows that all files hold, with all scores; left out: 1 and 0 "
                    "of gold, 1 of x_yr",
                    "not made alike", "gold by rules; x_yr by rules and statements"});
  const std::string same = notes({{"gold", {rows}}, {"x_yr", {rows}}});
  EXPECT_EQ(same.find("left out"), std::string::npos);
  EXPECT_EQ(same.find("alike"), std::string::npos);
}

TEST(RevResult, PlotsWhatAnyKindHas) {
  const auto plots = [](const RevEvaluation& evaluation) {
    return result_report(rev_result(evaluation, std::nullopt, false), "").plots;
  };
  std::vector<data::ScoredRationale> rows = five_rationales();
  EXPECT_EQ(plots(evaluation_of(rows)).size(), 3u);
  for (data::ScoredRationale& row : rows) row.rev.reset();
  const std::vector<Plot> of_two =
      plots(evaluate_rev(std::vector<RevPairs>{{"gold", {rows}}}, {.resamples = 50}));
  ASSERT_EQ(of_two.size(), 2u);
  expect_contains(of_two[0].title, "LAS by kind");
  EXPECT_EQ(of_two[0].series.at(0).points.at(0).x, 0.5);
}

}  // namespace rubric::eval::rev_result_test
