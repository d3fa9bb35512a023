// `evaluate agreement` with labels of two values, and its pairwise accuracy, on rows whose values
// scikit-learn, mt-metrics-eval and numpy gave.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli {
namespace {

class EvaluateBinaryAgreement : public testing::Test {
 protected:
  EvaluateBinaryAgreement()
      : fixture_(
            Json::parse_file(std::string(fixtures_folder()) + "/binary_agreement/agreement.json")) {
    folder_.write("rows.jsonl", lines_of(fixture_, "rows"));
  }

  static std::string lines_of(const Json& fixture, const char* name) {
    std::string lines;
    for (const Json& row : fixture.find(name)->array()) lines += row.dump() + "\n";
    return lines;
  }

  // Rows and those on which thresholds are chosen.
  Json write_dev() {
    Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/binary_agreement/dev.json");
    folder_.write("measured.jsonl", lines_of(fixture, "rows"));
    folder_.write("dev.jsonl", lines_of(fixture, "dev"));
    return fixture;
  }

  // How --dev FILE is refused for the rows of measured.csv.
  Outcome refused(const std::string& rows, const std::string& dev) {
    folder_.write("measured.csv", rows);
    folder_.write("dev.csv", dev);
    return evaluate("measured.csv", {"--dev", folder_.file("dev.csv"), "--metric", "f1"});
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

// All rows of system p are positive, all of n negative, and o has one row.
TEST_F(EvaluateBinaryAgreement, AtTheDevThresholdEqualsScikitLearn) {
  const Json fixture = write_dev();
  const Json json =
      json_of("measured.jsonl", {"--dev", folder_.file("dev.jsonl"), "--group", "system"});
  EXPECT_EQ(fixture.find("groups")->object().size(), 5u);
  for (const auto& [name, group] : fixture.find("groups")->object()) {
    const Json& ours = name.empty() ? *json.find("all") : *json.find("groups")->find(name);
    expect_same(ours, group, name);
  }
  const auto positive = [](const Json& row) { return row.find("score")->number() == 1; };
  EXPECT_EQ(json.find("dev")->find("n")->number(), 30);
  EXPECT_EQ(json.find("dev")->find("positives")->number(),
            std::ranges::count_if(fixture.find("dev")->array(), positive));
  const std::string all = notes(json);
  expect_contains(all,
                  "p: all human labels are the same, correlations are undefined, and so is "
                  "ROC AUC\n");
  expect_contains(all,
                  "n: all human labels are the same, correlations are undefined, and so are "
                  "ROC AUC and F1, as no row is positive\n");
  expect_contains(all, "It is the best on the 30 dev rows (");
  EXPECT_FALSE(holds(all, "half"));
}

TEST_F(EvaluateBinaryAgreement, EveryFormatSaysWhereThresholdsAreFrom) {
  write_dev();
  const std::string dev = folder_.file("dev.jsonl"), report = folder_.file("report.html");
  const Outcome text =
      evaluate("measured.jsonl", {"--dev", dev, "--group", "system", "--report", report});
  expect_contains(text.out, "dev threshold");
  expect_contains(text.out, "Accuracy at the dev threshold by group");
  EXPECT_FALSE(holds(text.out, "0.4734 ("));  // no halves
  expect_contains(text.err, "|dev:" + short_sha256_file(dev) + "|human:score|");
  expect_contains(read_file(report), "Thresholds are the best on: " + dev);
  const Outcome csv =
      evaluate("measured.jsonl", {"--dev", dev, "--group", "system", "--format", "csv"});
  expect_contains(csv.out, "\nfine,accuracy_threshold,,dev,0.4734");
  expect_contains(csv.out, "\ncoarse,f1_threshold,n,dev,0.25,,,,,8,,\n");
  EXPECT_FALSE(holds(csv.out, "half"));
  expect_contains(csv.err, "It is the best on the 30 dev rows");
  EXPECT_FALSE(holds(evaluate("measured.jsonl").err, "|dev:"));
  expect_contains(evaluate("measured.jsonl", {"--format", "csv"}).err,
                  "where they lie far apart, the rows are too few");
  EXPECT_FALSE(holds(csv.err, "far apart"));
}

// 0.5 is the threshold that separates the dev rows.
TEST_F(EvaluateBinaryAgreement, AnInputOfOneLabelIsMeasuredAtTheDevThreshold) {
  folder_.write("dev.csv", "score,f1\n0,0.4\n1,0.6\n,0.9\n");
  folder_.write("right.csv", "score,f1\n1,0.4\n1,0.5\n1,0.9\n1,0.8\n");
  const std::vector<std::string> with_dev = {"--dev", folder_.file("dev.csv"), "--missing", "drop"};
  const Json json = json_of("right.csv", with_dev);
  const Json& f1 = *json.find("all")->find("metrics")->find("f1");
  EXPECT_EQ(f1.find("accuracy")->find("threshold")->number(), 0.5);
  EXPECT_EQ(f1.find("accuracy")->find("value")->number(), 0.75);
  EXPECT_NEAR(f1.find("f1")->find("value")->number(), 6.0 / 7, 1e-9);
  expect_contains(notes(json), "dev rows: 1 row without a human label left out");
  EXPECT_EQ(json.find("dev")->find("unlabelled")->number(), 1);
  EXPECT_EQ(evaluate("right.csv", with_dev).code, 0);
  expect_message(evaluate("right.csv", {"--dev", folder_.file("dev.csv")}), 2,
                 {"the row has no label", "dev.csv:4"});
}

// Groups and systems need no names in dev; where it has them, they tell its rows apart.
TEST_F(EvaluateBinaryAgreement, DevMayLackGroupsAndSystems) {
  folder_.write("rows.csv", "id,set,model,score,f1\n1,x,a,0,0.1\n1,x,b,1,0.9\n");
  folder_.write("plain.csv", "score,f1\n0,0.4\n1,0.6\n");
  folder_.write("systems.csv", "id,model,score,f1\n1,a,0,0.4\n1,b,1,0.6\n");
  for (const char* dev : {"plain.csv", "systems.csv"}) {
    const Outcome outcome =
        evaluate("rows.csv", {"--dev", folder_.file(dev), "--group", "set", "--system", "model"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
}

TEST_F(EvaluateBinaryAgreement, QuestionsThatDevHasTooAreCounted) {
  folder_.write("dev.csv", "question,score,f1\nWho?,0,0.4\nWhere?,1,0.6\n,1,0.7\n");
  folder_.write("rows.csv", "question,score,f1\nWho?,0,0.1\nWho?,1,0.9\nWhy?,1,0.9\n,0,0.2\n");
  folder_.write("others.csv", "question,score,f1\nHow?,0,0.4\n,1,0.6\n");
  const auto notes_with = [&](const char* dev) {
    return notes(json_of("rows.csv", {"--dev", folder_.file(dev)}));
  };
  const auto shared_with = [&](const char* dev) {
    const Json json = json_of("rows.csv", {"--dev", folder_.file(dev)});
    return json.find("dev")->find("shared_rows")->number();
  };
  EXPECT_EQ(shared_with("dev.csv"), 2);
  EXPECT_EQ(shared_with("others.csv"), 0);
  expect_contains(notes_with("dev.csv"), "2 rows have a question that the dev rows have too");
  EXPECT_FALSE(holds(notes_with("others.csv"), "that the dev rows have too"));
}

TEST_F(EvaluateBinaryAgreement, DevOfOtherLabelsIsRefused) {
  const std::string two = "score,f1\n1,0.1\n5,0.9\n5,0.8\n";
  expect_message(refused(two, "score,f1\n1,0.1\n3,0.2\n5,0.9\n"), 2,
                 {"--dev has the labels 1, 3, 5, and the input the labels 1, 5", "dev.csv",
                  "leave the rows of the label 3 out of it, or give them one of the two"});
  expect_message(refused("score,f1\n5,0.1\n", "score,f1\n1,0.1\n3,0.2\n5,0.9\n"), 2,
                 {"leave all rows but those of two labels out of it"});
  expect_message(refused(two, "score,f1\n0,0.1\n1,0.9\n"), 2,
                 {"the input has the labels 1, 5, and --dev the labels 0, 1", "measured.csv",
                  "write the labels of one file as the other has them"});
  expect_message(refused(two, "score,f1\n5,0.1\n5,0.9\n"), 2,
                 {"--dev has the label 5 alone", "dev.csv", "give rows of both labels"});
  expect_message(refused("score,f1\n1,0.1\n2,0.9\n3,0.8\n", two), 2,
                 {"--dev is for labels of two values, and the input has the labels 1, 2, 3",
                  "measured.csv", "or leave --dev out"});
}

TEST_F(EvaluateBinaryAgreement, DevWithoutScoresOrOfTheSameRowsIsRefused) {
  const std::string two = "score,f1\n1,0.1\n5,0.9\n5,0.8\n";
  expect_message(refused(two, "score,em\n1,0\n5,1\n"), 2, {"no row has a score \"f1\"", "dev.csv"});
  expect_message(refused(two, "score,f1\n1,0.1\n5,\n"), 2,
                 {"the metric \"f1\" has no score in 1 of 2 rows", "dev.csv:3"});
  expect_message(refused(two, "judge,f1\n1,0.1\n5,0.9\n"), 2,
                 {"no row has the field \"score\"", "dev.csv"});
  expect_message(refused(two, two), 2, {"--dev has the rows of --input", "dev.csv"});  // a copy
  expect_message(evaluate("measured.csv", {"--dev", folder_.file("measured.csv")}), 2,
                 {"--dev has the rows of --input"});
  expect_message(evaluate("measured.csv", {"--dev", folder_.file("nowhere.csv")}), 2,
                 {"nowhere.csv"});
  folder_.write("dev.csv", "score,f1\n1,0.3\n5,0.9\n");
  const std::string dev = folder_.file("dev.csv");
  expect_message(evaluate("measured.csv", {"--dev", dev, "--report", dev}), 2,
                 {"this would replace"});
}

// Each file in words of its own, and the field that `score --verdict` writes as a metric.
TEST_F(EvaluateBinaryAgreement, LabelsMayBeWords) {
  folder_.write("rows.csv",
                "judge,verdict,f1\nyes,right,0.9\nno,wrong,0.1\nNo,right,0.2\nyes,right,0.8\n");
  folder_.write("dev.csv", "judge,verdict,f1\ncorrect,right,0.7\nincorrect,wrong,0.3\n");
  const Json json = json_of(
      "rows.csv", {"--dev", folder_.file("dev.csv"), "--human", "judge", "--metric", "f1,verdict"});
  const Json& metrics = *json.find("all")->find("metrics");
  EXPECT_EQ(metrics.find("f1")->find("accuracy")->find("value")->number(), 1);
  EXPECT_EQ(metrics.find("verdict")->find("accuracy")->find("value")->number(), 0.75);
  EXPECT_EQ(metrics.find("f1")->find("accuracy")->find("threshold")->number(), 0.5);
  const Json by_verdict = json_of("rows.csv", {"--human", "verdict", "--metric", "f1"});
  EXPECT_EQ(by_verdict.find("all")->find("positives")->number(), 3);
  folder_.write("grades.csv", "judge,f1\ngood,0.9\nno,0.1\n");
  expect_message(evaluate("grades.csv", {"--human", "judge"}), 2,
                 {"it is \"good\"", "grades.csv:2", "yes/no, right/wrong"});
}

// The one --human names the field in both files, so that another name would be refused in the
// other.
TEST_F(EvaluateBinaryAgreement, AnotherNameOfTheLabelsInDevIsToBeChangedThere) {
  folder_.write("rows.csv", "judge,f1\n1,0.9\n0,0.1\n");
  folder_.write("dev.csv", "human,f1\n1,0.9\n0,0.1\n");
  expect_message(evaluate("rows.csv", {"--dev", folder_.file("dev.csv"), "--human", "judge"}), 2,
                 {"no row has the field \"judge\"", "dev.csv",
                  "rename the field that holds it here to \"judge\", as it is called in " +
                      folder_.file("rows.csv"),
                  "are human, f1"});
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
  expect_contains(text.out, "3.028 (3.686, 2.881)");  // all rows' threshold and the halves'
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
  expect_message(
      outcome, 2,
      {"no row has the field \"score\"",
       "name another with --human; fields with numbers, or words such as true, are judge, grade"});
}

}  // namespace
}  // namespace rubric::cli
