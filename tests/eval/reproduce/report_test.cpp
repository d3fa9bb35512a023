#include "eval/reproduce/report.h"

#include <gtest/gtest.h>

#include "eval/reproduce/experiment_example.h"
#include "eval/result/render.h"
#include "messages.h"

namespace rubric::eval::reproduce_report_test {

constexpr const char* kSummary = R"({
  "measurements": [{"metric": "lerc", "statistic": "mean", "value": 3.5, "low": 3.25, "high": 3.75,
                    "confidence": 0.95, "n": 40}],
  "records": {"signatures": [{"metric": "lerc",
                              "signature": "lerc|model:3f9a|trunc:12/40|rubric:0.1.0"}]}})";
constexpr const char* kLog = R"({"event": "update", "step": 1, "loss": 2.5}
)";

// Finished runs; the higher rate is selected.
struct ExperimentReport : testing::Test {
  void read(const std::string& cells = kExampleCells) {
    experiment_ = example(folder_, kExampleSteps, cells);
    plan_ = make_plan(experiment_, "");
    outcome_.runs.assign(plan_.runs.size(), {RunState::done, "", {}, 0});
    for (const char* const set : {"a", "b"}) {
      outcome_.selections.push_back(
          {"train", {{"set", set}}, "rate", "2.0e-5", {{"1.0e-5", 0.25}, {"2.0e-5", 0.5}}});
    }
    for (const StepRun& run : plan_.runs) {
      const std::string folder = "runs/" + run.name + "/";
      const std::string& step = run.step->name;
      if (step == "train") {
        folder_.write(folder + "log.jsonl", kLog);
        folder_.write(folder + "results.json",
                      R"({"measurements": [{"statistic": "pearson", "value": 0.625},
                                           {"statistic": "updates", "value": 76}],
                          "records": {"run": [{"data": "train: 304 rows, 7 rows cut"}]},
                          "signature": "libtorch:2.11.0"})");
      } else if (step == "score") {
        folder_.write(folder + "summary.json", kSummary);
      } else if (step == "evaluate") {
        folder_.write(folder + "results.json",
                      R"({"constituents": {"a": {"pearson": 0.5}, "b": {"pearson": 0.75}},
                          "signature": "lerc|suite:mocha"})");
      } else {
        folder_.write(folder + "results.json", R"({"n": 12})");
      }
    }
  }

  // The page of the results.
  Report report() {
    cells_ = cell_results(experiment_, plan_, outcome_);
    return result_report(experiment_result(experiment_, plan_, outcome_, cells_),
                         "rubric reproduce x.yaml");
  }
  // A row of the cells as printed.
  std::vector<std::string> cell_row(const std::vector<CellResult>& cells, size_t row) const {
    const Result result = experiment_result(experiment_, plan_, outcome_, cells);
    return result_tables(result, kPrintedText).at(0).rows.at(row);
  }

  static const Table* table(const Report& report, const std::string& title) {
    for (const Table& each : report.tables) {
      if (each.title == title) return &each;
    }
    return nullptr;
  }

  TemporaryFolder folder_;
  Experiment experiment_;
  Plan plan_;
  ExperimentOutcome outcome_;
  std::vector<CellResult> cells_;
};

using Row = std::vector<std::string>;

TEST_F(ExperimentReport, HoldsTablesSignaturesCommandAndVersions) {
  read();
  const Report made = report();
  const Table *const scored = table(made, "Scored"), *const trained = table(made, "Trained");
  ASSERT_NE(scored, nullptr);
  ASSERT_EQ(scored->rows.size(), 4u);
  EXPECT_EQ(scored->rows[0],
            (Row{"score/set=a,seed=1", "lerc", "40", "3.500", "3.250", "3.750", "12/40"}));
  ASSERT_NE(trained, nullptr);
  EXPECT_EQ(trained->rows[0], (Row{"train/set=a,rate=1.0e-5,seed=1", "train: 304 rows, 7 rows cut",
                                   "76", "pearson", "0.625", "libtorch:2.11.0"}));
  const Table* const signatures = table(made, "Signatures");
  ASSERT_NE(signatures, nullptr);
  ASSERT_EQ(signatures->rows.size(), 8u);
  EXPECT_EQ(signatures->rows[0],
            (Row{"score/set=a,seed=1", "lerc|model:3f9a|trunc:12/40|rubric:0.1.0"}));
  EXPECT_EQ(signatures->rows[1], (Row{"evaluate/set=a,seed=1", "lerc|suite:mocha"}));
  EXPECT_EQ(made.command, "rubric reproduce x.yaml");
}

// One of the row with an interval, then the losses of the trainings at the selected rate.
TEST_F(ExperimentReport, DrawsIntervalsBesideThePaperAndTheSelectedTrainings) {
  read();
  const Report made = report();
  ASSERT_EQ(made.plots.size(), 1u + 4);
  EXPECT_EQ(made.plots[0].title, "LERC");
  EXPECT_EQ(made.plots[0].names, (Row{"A", "B", "both"}));
  ASSERT_EQ(made.plots[0].series.size(), 2u);
  EXPECT_EQ(made.plots[0].series[1].name, "the paper");
  EXPECT_EQ(made.plots[0].series[1].points.at(0).x, 0.5);
  EXPECT_EQ(made.plots[0].x_label, "pearson");
  EXPECT_EQ(made.plots[1].title, "train/set=a,rate=2.0e-5,seed=1: Training loss");
}

TEST_F(ExperimentReport, SaysItsTitleOnceAndWhatEachSelectionIsFor) {
  read();
  const Report made = report();
  EXPECT_EQ(made.tables.front().title, "");
  const Table* const selected = table(made, "Selected by the steps' rules");
  ASSERT_NE(selected, nullptr);
  EXPECT_EQ(selected->rows[1], (Row{"train/set=a", "rate", "2.0e-5", "0.500", "yes"}));
}

TEST_F(ExperimentReport, ASmallProbabilityIsNotZero) {
  read(R"(
columns: {A: {set: a}}
cells:
  - {row: p, step: count, value: /n, scale: 1.0e-6, kind: p}
)");
  const auto cells = cell_results(experiment_, plan_, outcome_);
  EXPECT_EQ(cell_row(cells, 0)[2], "< 0.001");
  expect_contains(input_error([&] {
                    read(
                        "\ncolumns: {A: {set: a}}\ncells:\n"
                        "  - {row: p, step: count, value: /n, kind: q}\n");
                  }),
                  "kind is \"q\"");
}

TEST_F(ExperimentReport, OfSeveralSeedsTheLargestPValueIsShown) {
  read(R"(
columns: {A: {set: a}}
cells:
  - {row: p, step: evaluate, value: "/constituents/{set}/pearson", kind: p}
)");
  auto cells = cell_results(experiment_, plan_, outcome_);
  ASSERT_EQ(cells[0].by_seed.size(), 2u);
  EXPECT_FALSE(cells[0].interval);
  cells[0].by_seed = {0.012, 0.034};
  EXPECT_EQ(cell_row(cells, 0)[3], "0.034");  // behind their standard deviation
}

TEST_F(ExperimentReport, DrawsRowsOfOneColumnTogether) {
  read(R"(
columns: {A: {set: a}}
cells:
  - {row: first, step: evaluate, value: "/constituents/{set}/pearson", paper: null}
  - {row: second, step: evaluate, value: "/constituents/{set}/pearson", paper: null}
)");
  const Report made = report();
  EXPECT_EQ(made.plots[0].title, "A");
  EXPECT_EQ(made.plots[0].names, (Row{"first", "second"}));
  EXPECT_EQ(made.plots[0].series.size(), 1u);
}

TEST_F(ExperimentReport, WithoutRunsHasNoPictures) {
  read();
  outcome_.selections.clear();
  outcome_.runs.assign(plan_.runs.size(), {RunState::not_run, "no data", {}, 0});
  const Report made = report();
  EXPECT_TRUE(made.plots.empty());
  EXPECT_EQ(table(made, "Signatures"), nullptr);
  EXPECT_EQ(table(made, "Scored"), nullptr);
}

TEST_F(ExperimentReport, ARowInNoPaperLacksNothing) {
  read(R"(
columns: {A: {set: a}}
cells:
  - {row: ours, step: evaluate, value: "/constituents/{set}/pearson"}
  - {row: lost, step: evaluate, value: "/constituents/{set}/pearson", paper: null}
)");
  const auto cells = cell_results(experiment_, plan_, outcome_);
  const Result result = experiment_result(experiment_, plan_, outcome_, cells);
  EXPECT_EQ(result.notes.front(), "lost / A: not in our copy of the paper");
}

}  // namespace rubric::eval::reproduce_report_test
