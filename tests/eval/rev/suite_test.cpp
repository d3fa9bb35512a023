#include <gtest/gtest.h>

#include "core/json/json.h"
#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"
#include "paths.h"

namespace rubric::eval::rev_suite_test {

const std::string kSuiteFolder = std::string(source_folder()) + "/tests/fixtures/rev_suite/";

std::vector<RevPairs> fixture() {
  return read_rev_pairs(std::vector<RevFile>{{"gold", kSuiteFolder + "gold_1.jsonl"},
                                             {"x_yr", kSuiteFolder + "x_yr_1.jsonl"},
                                             {"gold", kSuiteFolder + "gold_2.jsonl"},
                                             {"vacuous", kSuiteFolder + "vacuous_1.jsonl"},
                                             {"x_yr", kSuiteFolder + "x_yr_2.jsonl"}});
}

// Figures equal numpy's; the ends of intervals do but for the noise of 10,000 resamples, a tenth of
// the interval at most.
TEST(RevSuite, EqualsNumpy) {
  const Json expected = Json::parse_file(kSuiteFolder + "expected.json");
  const RevEvaluation evaluation = evaluate_rev(fixture(), {});
  EXPECT_EQ(evaluation.n, 60);
  EXPECT_EQ(evaluation.questions, 42);
  ASSERT_EQ(evaluation.kinds.size(), 3u);
  for (const RevKind& kind : evaluation.kinds) {
    const Json& of_kind = *expected.find("kinds")->find(kind.name);
    for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
      const char* const key = kRevMetrics[metric].key;
      SCOPED_TRACE(kind.name + " " + key);
      EXPECT_NEAR(*kind.means[metric], of_kind.find(key)->number(), 1e-12);
      const Json::Array& ends = of_kind.find("ci95")->find(key)->array();
      const double width = ends[1].number() - ends[0].number();
      EXPECT_NEAR(kind.intervals[metric]->low, ends[0].number(), 0.1 * width);
      EXPECT_NEAR(kind.intervals[metric]->high, ends[1].number(), 0.1 * width);
    }
  }
}

TEST(RevSuite, IntervalsAreASeeds) {
  const std::vector<RevPairs> pairs = fixture();
  const auto low = [&](uint64_t seed) {
    return evaluate_rev(pairs, {.resamples = 300, .seed = seed}).kinds[0].intervals[kLas]->low;
  };
  EXPECT_EQ(low(1), low(1));
  EXPECT_NE(low(1), low(2));
}

// Two seeds whose REV is 0.25 and 1.25 everywhere but for the rows' own: the mean is 0.75.
TEST(RevSuite, MeansAreOverSeeds) {
  std::vector<data::ScoredRationale> second = five_rationales();
  for (data::ScoredRationale& row : second) *row.rev += 1;
  const std::vector<RevPairs> pairs = {{"gold", {five_rationales(), second}}};
  const RevEvaluation evaluation = evaluate_rev(pairs, {.resamples = 100});
  const RevKind& kind = evaluation.kinds[0];
  EXPECT_DOUBLE_EQ(*kind.means[kRev], 0.75);
  EXPECT_DOUBLE_EQ(*kind.by_seed[kRev][0], 0.25);
  EXPECT_DOUBLE_EQ(*kind.by_seed[kRev][1], 1.25);
  // Draws of one seed alone reach beyond what resampled rows of both could.
  EXPECT_LT(kind.intervals[kRev]->low, 0.25);
  EXPECT_GT(kind.intervals[kRev]->high, 1.25);
}

// Rows of one question are always drawn together, so that the seeds' draws alone are left.
TEST(RevSuite, SeedsAreDrawnByTheSeedOfTheBootstrap) {
  std::vector<data::ScoredRationale> first = five_rationales();
  for (data::ScoredRationale& row : first) row.question = "one?";
  std::vector<data::ScoredRationale> second = first;
  for (data::ScoredRationale& row : second) *row.rev += 1;
  const std::vector<RevPairs> pairs = {{"gold", {first, second}}};
  const auto resampled = [&](uint64_t seed) {
    return evaluate_rev(pairs, {.resamples = 50, .seed = seed}).kinds[0].resampled[kRev];
  };
  EXPECT_EQ(resampled(1), resampled(1));
  EXPECT_NE(resampled(1), resampled(2));
}

TEST(RevSuite, CountsWhatMadeBaselinesAndWhatIsLeftOut) {
  std::vector<data::ScoredRationale> rows = five_rationales();
  for (data::ScoredRationale& row : rows) row.baseline = "b";
  rows[0].baseline_by = rows[1].baseline_by = "rules";
  rows[2].baseline_by = "statements";
  const std::vector<RevPairs> pairs = {{"gold", {rows, rows}, {{"8"}, {"8", "9"}}},
                                       {"x_yr", {five_rationales()}, {{"7"}}}};
  const RevEvaluation evaluation = evaluate_rev(pairs, {.resamples = 1});
  EXPECT_EQ(evaluation.kinds[0].baselines,
            (BaselineCounts{{"rules", 4}, {"statements", 2}, {"given", 4}}));
  EXPECT_TRUE(evaluation.kinds[1].baselines.empty());
  EXPECT_EQ(evaluation.kinds[0].left_out, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(evaluation.left_out, (std::set<std::string>{"7", "8", "9"}));
}

// All leak in the second seed: LAS has no mean there, and so none over seeds.
TEST(RevSuite, AnUndefinedSeedMakesTheMeanUndefined) {
  std::vector<data::ScoredRationale> second = five_rationales();
  for (data::ScoredRationale& row : second) row.sim_r = row.label;
  const std::vector<RevPairs> pairs = {{"gold", {five_rationales(), second}}};
  const RevKind kind = evaluate_rev(pairs, {.resamples = 20}).kinds[0];
  EXPECT_TRUE(kind.by_seed[kLas][0]);
  EXPECT_FALSE(kind.by_seed[kLas][1]);
  EXPECT_FALSE(kind.means[kLas]);
  EXPECT_FALSE(kind.intervals[kLas]);
  EXPECT_TRUE(kind.means[kRq]);
}

// Five rows of one question are one observation, which has no resamples but itself.
TEST(RevSuite, RowsOfOneQuestionAreDrawnTogether) {
  std::vector<data::ScoredRationale> rows = five_rationales();
  for (data::ScoredRationale& row : rows) row.question = "one?";
  const RevEvaluation evaluation =
      evaluate_rev(std::vector<RevPairs>{{"gold", {rows}}}, {.resamples = 50});
  EXPECT_EQ(evaluation.questions, 1);
  EXPECT_EQ(evaluation.kinds[0].means[kRev], 0.25);
  EXPECT_FALSE(evaluation.kinds[0].intervals[kRev]);
}

TEST(RevSuite, KnowsWhereSeedsHaveOtherTexts) {
  std::vector<data::ScoredRationale> second = five_rationales();
  second[1].rationale = "another";
  second[3].label = "b";
  const std::vector<RevPairs> pairs = {{"x_yr", {five_rationales(), second}}};
  EXPECT_EQ(evaluate_rev(pairs, {.resamples = 1}).kinds[0].has_other_texts,
            (std::vector<bool>{false, true, false, true, false}));
}

}  // namespace rubric::eval::rev_suite_test
