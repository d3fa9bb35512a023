#include <cmath>

#include <gtest/gtest.h>

#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/report.h"
#include "eval/result/render.h"
#include "measured.h"
#include "messages.h"

namespace rubric::eval::results_test {

PaperValue paper(double value, int decimals) {
  return {value, decimals, ""};
}

TEST(Verdict, WithSeedsTheIntervalDecides) {
  const stats::Interval interval{0.70, 0.80};
  EXPECT_EQ(verdict(paper(0.72, 2), 0.75, interval, true), 0);
  EXPECT_EQ(verdict(paper(0.70, 2), 0.75, interval, true), 0);
  EXPECT_EQ(verdict(paper(0.69, 2), 0.75, interval, true), 1);
  EXPECT_EQ(verdict(paper(0.81, 2), 0.75, interval, true), -1);
}

TEST(Verdict, WithoutSeedsThePrintedDigitsDecide) {
  const stats::Interval wide{0.1, 0.9};
  EXPECT_EQ(verdict(paper(0.403, 3), 0.40349, wide, false), 0);
  EXPECT_EQ(verdict(paper(0.403, 3), 0.40361, wide, false), 1);
  EXPECT_EQ(verdict(paper(0.403, 3), 0.4024, wide, false), -1);
  EXPECT_EQ(verdict(paper(53, 0), 53.5, std::nullopt, false), 0);  // rounded either way
  EXPECT_EQ(verdict(paper(53, 0), 54, std::nullopt, false), 1);
}

struct CellResults : testing::Test {
  CellResults() : experiment_(example(folder_)), plan_(make_plan(experiment_, "")) {
    for (size_t i = 0; i < plan_.runs.size(); ++i) {
      outcome_.runs.push_back({RunState::done, "", {}, 0});
    }
    write("a", "1", "0.4");
    write("a", "2", "0.6");
    write("b", "1", "0.8");
    write("b", "2", "0.8");
    folder_.write("runs/count/results.json", R"({"n": 12})");
  }

  void write(const std::string& set, const std::string& seed, const std::string& figure) {
    folder_.write("runs/evaluate/set=" + set + ",seed=" + seed + "/results.json",
                  "{\"constituents\": {\"" + set + "\": {\"pearson\": " + figure + "}}}");
  }
  std::vector<CellResult> results() { return cell_results(experiment_, plan_, outcome_); }

  TemporaryFolder folder_;
  Experiment experiment_;
  Plan plan_;
  ExperimentOutcome outcome_;
};

TEST_F(CellResults, MeansOverSeedsAndGroups) {
  const auto cells = results();
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_EQ(cells[0].by_seed, (std::vector<double>{0.4, 0.6}));
  EXPECT_EQ(cells[0].verdict, 0);  // 0.50 in [0.4, 0.6]
  EXPECT_FALSE(cells[1].verdict);  // not in our copy
  ASSERT_EQ(cells[2].by_seed.size(), 2u);
  EXPECT_NEAR(cells[2].by_seed[0], 0.6, 1e-12);
  EXPECT_NEAR(cells[2].by_seed[1], 0.7, 1e-12);
  EXPECT_EQ(cells[3].verdict, 0);  // 12 is 12
  EXPECT_FALSE(cells[3].interval);
}

TEST_F(CellResults, TakesTheResamplesBesideTheFigure) {
  folder_.write("runs/count/results.json", R"({"n": 12, "resampled": {"n": [11, 12, 13]}})");
  const auto cell = results()[3];
  ASSERT_TRUE(cell.interval);
  EXPECT_NEAR(cell.interval->low, 11.05, 1e-9);
}

// Of two steps on the same rows, whose resamples are paired; the second may be without seeds.
TEST_F(CellResults, MayBeTheDifferenceOfTwoSteps) {
  const std::string cells = R"(
columns:
  A: {set: a}
cells:
  - {row: over the count, step: evaluate, minus: count, value: /n}
)";
  experiment_ = example(folder_, kExampleSteps, cells);
  plan_ = make_plan(experiment_, "");
  outcome_.runs.assign(plan_.runs.size(), {RunState::done, "", {}, 0});
  const auto write_n = [&](const std::string& run, const char* text) {
    folder_.write("runs/" + run + "/results.json", text);
  };
  write_n("evaluate/set=a,seed=1", R"({"n": 13, "resampled": {"n": [12, 13, 14]}})");
  write_n("evaluate/set=a,seed=2", R"({"n": 13, "resampled": {"n": [12, 13, 14]}})");
  write_n("count", R"({"n": 10, "resampled": {"n": [9, 10, 11]}})");
  const std::vector<CellResult> differences = results();
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].by_seed, (std::vector<double>{3, 3}));
  ASSERT_TRUE(differences[0].interval);  // in each resample, too, it is 3
  EXPECT_EQ(differences[0].interval->low, 3);
  EXPECT_EQ(differences[0].interval->high, 3);
  for (size_t i = 0; i < plan_.runs.size(); ++i) {
    if (plan_.runs[i].step->name == "count") outcome_.runs[i] = {RunState::not_run, "gone", {}, 0};
  }
  EXPECT_EQ(results()[0].why, "not run: gone");
}

TEST_F(CellResults, TrueCountsAsOne) {
  folder_.write("runs/count/results.json", R"({"n": true})");
  EXPECT_EQ(results()[3].by_seed, (std::vector<double>{1}));
  folder_.write("runs/count/results.json", R"({"n": false})");
  EXPECT_EQ(results()[3].by_seed, (std::vector<double>{0}));
}

TEST_F(CellResults, SayWhyTheyAreNotMeasured) {
  outcome_.runs.back() = {RunState::not_run, "dev.json is missing", {}, 0};
  write("b", "2", "null");
  const auto cells = results();
  EXPECT_EQ(cells[3].why, "not run: dev.json is missing");
  EXPECT_TRUE(cells[3].by_seed.empty());
  expect_contains(cells[1].why, "undefined: /constituents/b/pearson of evaluate/set=b,seed=2");
}

TEST_F(CellResults, RefuseAPointerThatLeadsNowhere) {
  folder_.write("runs/count/results.json", R"({"m": 12})");
  const std::string error = input_error([&] { results(); });
  expect_says(error, {"nothing at \"/n\"", "experiment.yaml:35"});
  folder_.write("runs/count/results.json", R"({"n": "12"})");
  expect_contains(input_error([&] { results(); }), "a string, not to a number");
}

TEST_F(CellResults, AStandInHasNoVerdicts) {
  experiment_.substitute = "a sample";
  for (const CellResult& cell : results()) EXPECT_FALSE(cell.verdict);
}

TEST_F(CellResults, ArePrintedCellByCell) {
  const auto cells = results();
  const Result result = experiment_result(experiment_, plan_, outcome_, cells);
  const Table table = result_tables(result, kPrintedText).at(0);
  using Cells = std::vector<std::string>;
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0], (Cells{"LERC", "A", "0.50", "0.50 [0.40, 0.60]", "0.14", "reproduced"}));
  EXPECT_EQ(table.rows[1], (Cells{"LERC", "B", "", "0.800 [0.800, 0.800]", "0.000", ""}));
  EXPECT_EQ(table.rows[3], (Cells{"size", "A", "12", "12", "", "reproduced"}));
  const std::string text = print(result, OutputFormat::text);
  expect_says(text, {"LERC / B: a note", "Of 4 cells: 3 reproduced"});
  const Json json = to_json(result);
  const Keys first{.metric = "LERC", .group = "A"};
  EXPECT_EQ(value_of(json, "paper", first), 0.5);
  EXPECT_EQ(value_of(json, "verdict", first), 0);
  EXPECT_NEAR(value_of(json, "standard_deviation", first), std::sqrt(0.02), 1e-12);
  EXPECT_NEAR(value_of(json, "mean", {.metric = "LERC", .group = "A", .seed = "2"}),
              cells[0].by_seed[1], 1e-12);
}

}  // namespace rubric::eval::results_test
