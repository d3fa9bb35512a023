#include <algorithm>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"
#include "messages.h"
#include "paths.h"

namespace rubric::eval::human_agreement_test {

const std::string kFolder = std::string(source_folder()) + "/tests/fixtures/rev_suite/";

std::vector<data::RationaleJudgement> votes(const std::string& id, const std::string& kind,
                                            const std::vector<int>& amounts) {  // -1: no
  std::vector<data::RationaleJudgement> judgements;
  for (const int amount : amounts) {
    judgements.push_back({id, kind, amount >= 0, std::max(amount, 0), "human.csv:2"});
  }
  return judgements;
}

std::vector<data::RationaleJudgement> operator+(std::vector<data::RationaleJudgement> a,
                                                const std::vector<data::RationaleJudgement>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

RevHumans humans_of(const std::vector<data::RationaleJudgement>& judgements,
                    const std::vector<RevPairs>& pairs) {
  return evaluate_rev_humans(judgements, pairs, evaluate_rev(pairs, {.resamples = 100}));
}

std::vector<RevPairs> two_kinds() {
  return {{"gold", {five_rationales()}}, {"x_yr", {five_rationales()}}};
}

// gold, row 1: yes 3, yes 2, no: (3 + 2) / 2 = 2.5; row 2: yes, no, no: -1; row 3, two annotators:
// a tie, -1. Their mean is (2.5 - 1 - 1) / 3, one of three is justified. x_yr, row 1: all yes, 1/3.
TEST(RevHumans, ScoresByHand) {
  const RevHumans humans =
      humans_of(votes("1", "gold", {3, 2, -1}) + votes("2", "gold", {1, -1, -1}) +
                    votes("3", "gold", {3, -1}) + votes("1", "x_yr", {0, 0, 1}),
                two_kinds());
  EXPECT_DOUBLE_EQ(*humans.kinds[0].score, 0.5 / 3);
  EXPECT_DOUBLE_EQ(*humans.kinds[0].justified, 1.0 / 3);
  EXPECT_EQ(humans.kinds[0].n, 3);
  EXPECT_DOUBLE_EQ(*humans.kinds[1].score, 1.0 / 3);
  EXPECT_EQ(humans.ties, 1);
  EXPECT_FALSE(humans.is_same_rows);
}

TEST(RevHumans, EqualsScipy) {
  const Json expected = *Json::parse_file(kFolder + "expected.json").find("human");
  const std::vector<RevPairs> pairs =
      read_rev_pairs(std::vector<RevFile>{{"gold", kFolder + "gold_1.jsonl"},
                                          {"gold", kFolder + "gold_2.jsonl"},
                                          {"x_yr", kFolder + "x_yr_1.jsonl"},
                                          {"x_yr", kFolder + "x_yr_2.jsonl"},
                                          {"vacuous", kFolder + "vacuous_1.jsonl"}});
  const RevEvaluation evaluation = evaluate_rev(pairs, {});
  const RevHumans humans = evaluate_rev_humans(
      data::read_rationale_judgements(kFolder + "judgements.csv"), pairs, evaluation);
  EXPECT_TRUE(humans.is_same_rows);
  const auto ranks = ranks_of(judged_values(evaluation, humans, kRevMetrics.size()));
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::string& kind = pairs[i].kind;
    const Json& of_kind = *expected.find("kinds")->find(kind);
    EXPECT_NEAR(*humans.kinds[i].score, of_kind.find("score")->number(), 1e-12) << kind;
    EXPECT_NEAR(*humans.kinds[i].justified, of_kind.find("justified")->number(), 1e-12) << kind;
    const Json::Array& ends = of_kind.find("ci95")->array();
    const double width = ends[1].number() - ends[0].number();
    EXPECT_NEAR(humans.kinds[i].interval->low, ends[0].number(), 0.1 * width) << kind;
    EXPECT_NEAR(humans.kinds[i].interval->high, ends[1].number(), 0.1 * width) << kind;
    EXPECT_EQ(*ranks[i], expected.find("ranks")->find("human")->find(kind)->number()) << kind;
  }
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const char* const key = kRevMetrics[metric].key;
    const Json& agreement = *expected.find("agreement")->find(key);
    const auto figure = [&](const char* level, const char* name) {
      return agreement.find(level)->find(name)->number();
    };
    const RevAgreement& ours = humans.metrics[metric];
    EXPECT_EQ(ours.n, 120);
    EXPECT_NEAR(*ours.kinds[1], figure("kinds", "spearman"), 1e-12) << key;
    EXPECT_NEAR(*ours.kinds[2], figure("kinds", "kendall"), 1e-12) << key;
    const MetricAgreement& rows = ours.rationales;
    EXPECT_NEAR(*rows.values[kSpearman], figure("rationales", "spearman"), 1e-12) << key;
    EXPECT_NEAR(*rows.values[kKendall], figure("rationales", "kendall"), 1e-12) << key;
    EXPECT_LT(rows.intervals[kKendall]->low, *rows.values[kKendall]);
    EXPECT_GT(rows.intervals[kKendall]->high, *rows.values[kKendall]);
  }
}

// A kind that nobody judged, and one that has no REV, take no part.
TEST(RevHumans, ComparesWhatHasBoth) {
  std::vector<RevPairs> pairs = two_kinds();
  pairs.push_back({"vacuous", {five_rationales()}});
  for (data::ScoredRationale& row : pairs[1].seeds[0]) row.rev.reset();
  const RevHumans humans = humans_of(
      votes("1", "gold", {3}) + votes("1", "x_yr", {1}) + votes("9", "other", {1}), pairs);
  EXPECT_EQ(humans.metrics[kRev].n, 1);
  EXPECT_EQ(humans.metrics[kRq].n, 2);
  EXPECT_FALSE(humans.kinds[2].score);
  EXPECT_FALSE(humans.metrics[kRev].kinds.back());
  EXPECT_EQ(humans.metrics[kRq].kinds.back(), 0);  // equal RQ, but not for the humans
  EXPECT_EQ(humans.other_kinds, 1);
}

TEST(RevHumans, RefusesWhatCannotBeMatched) {
  std::vector<RevPairs> pairs = two_kinds();
  expect_contains(input_error([&] { humans_of(votes("6", "gold", {1}), pairs); }),
                  "no row has the judged id \"6\"\n  where: human.csv:2");
  expect_contains(input_error([&] { humans_of(votes("1", "other", {1}), pairs); }),
                  "no judgement belongs to a kind and a row that are evaluated");
  pairs[1].seeds.push_back(five_rationales());
  pairs[1].seeds[1][0].rationale = "another";
  expect_contains(input_error([&] { humans_of(votes("1", "x_yr", {1}), pairs); }),
                  "the seeds of x_yr differ in label or rationale");
  EXPECT_EQ(humans_of(votes("2", "x_yr", {1}), pairs).kinds[1].n, 1);
}

TEST(RevHumans, RanksShareTies) {
  const std::vector<std::optional<double>> figures = {0.5, std::nullopt, 0.7, 0.5};
  EXPECT_EQ(ranks_of(figures), (std::vector<std::optional<double>>{2.5, std::nullopt, 1, 2.5}));
}

}  // namespace rubric::eval::human_agreement_test
