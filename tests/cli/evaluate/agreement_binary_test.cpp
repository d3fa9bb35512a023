// `evaluate agreement` with labels of two values, and its pairwise accuracy, on rows whose values
// scikit-learn, mt-metrics-eval and numpy gave.
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli {
namespace {

class EvaluateBinaryAgreement : public testing::Test {
 protected:
  EvaluateBinaryAgreement()
      : fixture_(
            Json::parse_file(std::string(fixtures_folder()) + "/binary_agreement/agreement.json")) {
    std::string lines;
    for (const Json& row : fixture_.find("rows")->array()) lines += row.dump() + "\n";
    folder_.write("rows.jsonl", lines);
  }

  Outcome evaluate(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"evaluate", "agreement", "--input", folder_.file(file)});
    return run(arguments);
  }

  Json json_of(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.end(), {"--format", "json", "--resamples", "60"});
    const Outcome outcome = evaluate(file, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, "stdout");
  }

  std::string notes(const Json& json) const {
    std::string all;
    for (const Json& note : json.find("notes")->array()) all += note.string() + "\n";
    return all;
  }

  const Json fixture_;
  TemporaryFolder folder_;
};

// Numbers anywhere below `expected`, by the same names.
void expect_same(const Json& ours, const Json& expected, const std::string& where) {
  if (expected.is_number()) {
    ASSERT_TRUE(ours.is_number()) << where;
    EXPECT_NEAR(ours.number(), expected.number(), 1e-9) << where;
  } else if (expected.is_array()) {
    ASSERT_TRUE(ours.is_array()) << where;
    ASSERT_EQ(ours.array().size(), expected.array().size()) << where;
    for (size_t i = 0; i < expected.array().size(); ++i) {
      expect_same(ours.array()[i], expected.array()[i], where + "/" + std::to_string(i));
    }
  } else if (expected.is_object()) {
    for (const auto& [name, value] : expected.object()) {
      ASSERT_NE(ours.find(name), nullptr) << where << "/" << name;
      expect_same(*ours.find(name), value, where + "/" + name);
    }
  } else {
    EXPECT_EQ(ours.dump(), expected.dump()) << where;
  }
}

TEST_F(EvaluateBinaryAgreement, EqualsScikitLearnAndMtMetricsEval) {
  const Json json = json_of("rows.jsonl", {"--group", "system"});
  EXPECT_EQ(json.find("labels")->find("negative")->number(), 1);
  EXPECT_EQ(json.find("labels")->find("positive")->number(), 5);
  EXPECT_EQ(fixture_.find("groups")->object().size(), 5u);
  for (const auto& [name, group] : fixture_.find("groups")->object()) {
    const Json& ours = name.empty() ? *json.find("all") : *json.find("groups")->find(name);
    EXPECT_EQ(ours.find("positives")->number(), group.find("positives")->number()) << name;
    expect_same(*ours.find("pairs"), *group.find("pairs"), name);
    for (const auto& [metric, values] : group.find("metrics")->object()) {
      const Json& of_metric = *ours.find("metrics")->find(metric);
      expect_same(*of_metric.find("pairwise_accuracy"), *values.find("pairwise_accuracy"),
                  name + "/" + metric);
      const Json& binary = *values.find("binary");
      if (!binary.is_null()) expect_same(of_metric, binary, name + "/" + metric);
      EXPECT_EQ(of_metric.find("roc_auc")->find("value")->is_null(), binary.is_null());
    }
  }
}

TEST_F(EvaluateBinaryAgreement, GroupsWithoutALabelAreSaidToBe) {
  const Json json = json_of("rows.jsonl", {"--group", "system"});
  const Json& metric = *json.find("groups")->find("c")->find("metrics")->find("fine");
  for (const char* name : {"accuracy", "f1"}) {
    for (const char* part : {"value", "ci95", "threshold", "half_thresholds"}) {
      EXPECT_TRUE(metric.find(name)->find(part)->is_null()) << name << " " << part;
    }
  }
  EXPECT_TRUE(metric.find("ece")->find("value")->is_null());
  expect_contains(
      notes(json),
      "c: all human labels are the same, correlations are undefined, and so are ROC AUC");
  expect_contains(notes(json), "d: a half of the questions has one of the two labels only");
  const Outcome text = evaluate("rows.jsonl", {"--group", "system"});
  expect_contains(text.out, "ROC AUC by group");
  expect_contains(text.out, "–");
}

TEST_F(EvaluateBinaryAgreement, EveryFormatHoldsTheValues) {
  const Json& all = *fixture_.find("groups")->find("");
  const Json& fine = *all.find("metrics")->find("fine")->find("binary");
  for (const char* format : {"text", "markdown", "latex", "csv"}) {
    const Outcome outcome = evaluate("rows.jsonl", {"--group", "system", "--format", format});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const double auc = fine.find("roc_auc")->find("value")->number();
    expect_contains(outcome.out, std::string(format) == "csv"
                                     ? std::to_string(auc)
                                     : std::to_string(std::round(1000 * auc) / 1000).substr(0, 5));
    EXPECT_FALSE(holds(outcome.out, "nan")) << format;
  }
  const Outcome text = evaluate("rows.jsonl", {"--system", "system"});
  expect_contains(text.out, "3.028 (3.891, 2.932)");  // all rows' threshold and the halves'
  expect_contains(text.out, "positive: label 5 (31 rows; the other is 1)");
  EXPECT_FALSE(holds(text.out, "by group"));
  const Outcome csv = evaluate("rows.jsonl", {"--group", "system", "--format", "csv"});
  expect_contains(csv.out, "\nfine,accuracy_threshold,,,3.0282");
  expect_contains(csv.out, ",,,,,51,,\n");
  expect_contains(csv.out, "\nfine,accuracy_threshold,d,,inf,,,,,6,,\n");
  expect_contains(csv.out, "\nfine,accuracy_threshold,c,,,,,,,9,,\n");
  expect_contains(csv.out, "\ncoarse,pairwise_epsilon,,,0,,,,,51,,\n");
}

// The halves do not depend on the order of the rows, and other rows do not move them.
TEST_F(EvaluateBinaryAgreement, HalvesAreOfTheQuestionsAndTheSeed) {
  std::string reversed;
  const Json::Array& rows = fixture_.find("rows")->array();
  for (size_t i = rows.size(); i-- > 0;) reversed += rows[i].dump() + "\n";
  folder_.write("reversed.jsonl", reversed);
  const auto accuracy = [&](const std::string& file, const std::string& seed) {
    const Json json = json_of(file, {"--system", "system", "--seed", seed});
    return json.find("all")
        ->find("metrics")
        ->find("fine")
        ->find("accuracy")
        ->find("half_thresholds")
        ->dump();
  };
  EXPECT_EQ(accuracy("rows.jsonl", "0"), accuracy("reversed.jsonl", "0"));
  EXPECT_NE(accuracy("rows.jsonl", "0"), accuracy("rows.jsonl", "1"));
}

// Scores so close that four digits would call all rows negative.
TEST_F(EvaluateBinaryAgreement, APrintedThresholdCallsTheSameRows) {
  std::string rows = "id,score,close\n";
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i) + (i % 2 == 0 ? ",1,0.98763\n" : ",0,0.98761\n");
  }
  folder_.write("close.csv", rows);
  const Outcome text = evaluate("close.csv");
  expect_contains(text.out, "0.98762 (0.98762, 0.98762)");
  const Outcome csv = evaluate("close.csv", {"--format", "csv"});
  EXPECT_FALSE(holds(csv.out, "close,accuracy_threshold,,,0.9876,"));
}

TEST_F(EvaluateBinaryAgreement, TrueAndFalseAreTwoValues) {
  folder_.write("judged.jsonl", R"({"judge": true, "scores": {"f1": 0.9}}
{"judge": false, "scores": {"f1": 0.1}}
{"judge": true, "scores": {"f1": 0.6}}
{"judge": false, "scores": {"f1": 0.2}}
)");
  const Json json = json_of("judged.jsonl", {"--human", "judge"});
  const Json& f1 = *json.find("all")->find("metrics")->find("f1");
  EXPECT_EQ(f1.find("roc_auc")->find("value")->number(), 1);
  EXPECT_EQ(f1.find("accuracy")->find("threshold")->number(), 0.4);
}

TEST_F(EvaluateBinaryAgreement, GradedLabelsHavePairsAndNoThresholds) {
  folder_.write("graded.csv", "score,f1\n1,0.1\n2,0.2\n3,0.2\n1,0.5\n");
  const Json json = json_of("graded.csv");
  EXPECT_EQ(json.find("labels"), nullptr);
  EXPECT_EQ(json.find("all")->find("positives"), nullptr);
  const Json& f1 = *json.find("all")->find("metrics")->find("f1");
  EXPECT_EQ(f1.find("roc_auc"), nullptr);
  EXPECT_TRUE(f1.find("pairwise_accuracy")->find("value")->is_number());
  const Outcome text = evaluate("graded.csv");
  expect_contains(text.out, "pairwise accuracy");
  EXPECT_FALSE(holds(text.out, "ROC AUC"));
}

TEST_F(EvaluateBinaryAgreement, FewRowsAreNoMistake) {
  folder_.write("one.csv", "score,f1\n1,0.1\n");
  folder_.write("two.csv", "score,f1\n1,0.1\n0,0.5\n");
  folder_.write("same.csv", "score,f1\n1,0.1\n0,0.1\n1,0.1\n");
  for (const char* file : {"one.csv", "two.csv", "same.csv"}) {
    for (const char* format : {"text", "json", "csv", "latex"}) {
      const Outcome outcome = evaluate(file, {"--format", format});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_FALSE(holds(outcome.out, "nan")) << outcome.out;
    }
  }
  expect_contains(evaluate("one.csv").out, "one row, correlations are undefined");
}

TEST_F(EvaluateBinaryAgreement, TheReportHasTheTables) {
  const std::string report = folder_.file("report.html");
  EXPECT_EQ(evaluate("rows.jsonl", {"--report", report, "--group", "system"}).code, 0);
  const std::string html = read_file(report);
  expect_contains(html, "Agreement with the two labels over 51 rows");
  expect_contains(html, "Pairwise accuracy by group");
}

TEST_F(EvaluateBinaryAgreement, AMissingLabelFieldListsWhatMayBeOne) {
  folder_.write("judged.jsonl", R"({"id": 1, "judge": true, "grade": 3, "scores": {"f1": 0.9}}
)");
  const Outcome outcome = evaluate("judged.jsonl");
  expect_message(outcome, 2,
                 {"no row has the field \"score\"",
                  "name --human; fields with numbers, or true and false, are judge, grade"});
}

}  // namespace
}  // namespace rubric::cli
