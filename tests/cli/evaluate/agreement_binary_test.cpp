// `evaluate agreement` with labels of two values, and its pairwise accuracy, on rows whose values
// scikit-learn, mt-metrics-eval and numpy gave.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::agreement_binary_test {

struct EvaluateBinaryAgreement : testing::Test {
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
    return printed_json(evaluate(file, arguments));
  }

  std::string notes(const Json& json) const {
    std::string all;
    for (const Json& note : json.find("notes")->array()) all += note.string() + "\n";
    return all;
  }

  const Json fixture_;
  TemporaryFolder folder_;
};

// The measurements of a metric in a group that the fixture has as {STATISTIC: {"value", "ci95",
// "threshold", "half_thresholds", "epsilon"}}. A null threshold is infinite, of a null list none.
void expect_same(const Json& json, const Json& expected, Keys keys) {
  SCOPED_TRACE(keys.group + "/" + keys.metric);
  const auto expect = [&](const std::string& statistic, const Json& value,
                          const char* part = "value") {
    const Json* const ours = measured(json, statistic, keys).find(part);
    const bool has_value = ours != nullptr && ours->is_number();
    ASSERT_EQ(has_value, value.is_number()) << statistic << " " << part;
    if (!has_value) return;
    EXPECT_NEAR(ours->number(), value.number(), 1e-9) << statistic << " " << part;
  };
  for (const auto& [statistic, values] : expected.object()) {
    for (const auto& [part, value] : values.object()) {
      if (part == "value") expect(statistic, value);
      if (part == "epsilon") expect("pairwise_epsilon", value);
      if (part == "threshold") expect(statistic + "_threshold", value);
      if (part == "ci95") {
        const bool has_interval = value.is_array();
        expect(statistic, has_interval ? value.array()[0] : Json(), "low");
        expect(statistic, has_interval ? value.array()[1] : Json(), "high");
      }
      if (part != "half_thresholds") continue;
      EXPECT_EQ(value.is_array(), holds(json.dump(), statistic + "_threshold_first_half"));
      if (!value.is_array()) continue;
      expect(statistic + "_threshold_first_half", value.array()[0]);
      expect(statistic + "_threshold_second_half", value.array()[1]);
    }
  }
}

TEST_F(EvaluateBinaryAgreement, EqualsScikitLearnAndMtMetricsEval) {
  const Json json = json_of("rows.jsonl", {"--group", "system"});
  EXPECT_EQ(value_of(json, "negative_label"), 1);
  EXPECT_EQ(value_of(json, "positive_label"), 5);
  EXPECT_EQ(fixture_.find("groups")->object().size(), 5u);
  std::string of_all_pairs;
  for (const auto& [name, group] : fixture_.find("groups")->object()) {
    const Keys of_group{.group = name};
    EXPECT_EQ(value_of(json, "positives", of_group), group.find("positives")->number()) << name;
    const Json& pairs = *group.find("pairs");
    if (!pairs.find("within_questions")->boolean()) {
      of_all_pairs += (of_all_pairs.empty() ? ": " : ", ") + name;
    }
    EXPECT_EQ(value_of(json, "pairs", of_group), pairs.find("n")->number());
    EXPECT_NEAR(value_of(json, "pairs_tied", of_group), pairs.find("tied")->number(), 1e-9);
    for (const auto& [metric, values] : group.find("metrics")->object()) {
      const Keys keys{.metric = metric, .group = name};
      // Of labels that are all equal mt-metrics-eval gives every metric 1, which says nothing of
      // it.
      if (pairs.find("tied")->number() == 1) {
        EXPECT_EQ(values.find("pairwise_accuracy")->find("value")->number(), 1);
        EXPECT_TRUE(measured(json, "pairwise_accuracy", keys).find("value")->is_null());
      } else {
        expect_same(json, Json::Object{{"pairwise_accuracy", *values.find("pairwise_accuracy")}},
                    keys);
      }
      const Json& binary = *values.find("binary");
      if (!binary.is_null()) expect_same(json, binary, keys);
      EXPECT_EQ(measured(json, "roc_auc", keys).find("value")->is_null(), binary.is_null());
    }
  }
  expect_contains(notes(json), "pairwise accuracy of all pairs of rows, not only within questions" +
                                   of_all_pairs + "\n");
}

// All rows of system p are positive, all of n negative, and o has one row.
TEST_F(EvaluateBinaryAgreement, AtTheDevThresholdEqualsScikitLearn) {
  const Json fixture = write_dev();
  const Json json =
      json_of("measured.jsonl", {"--dev", folder_.file("dev.jsonl"), "--group", "system"});
  EXPECT_EQ(fixture.find("groups")->object().size(), 5u);
  for (const auto& [name, group] : fixture.find("groups")->object()) {
    EXPECT_EQ(value_of(json, "positives", {.group = name}), group.find("positives")->number());
    for (const auto& [metric, values] : group.find("metrics")->object()) {
      expect_same(json, values, {.metric = metric, .group = name});
    }
  }
  const auto positive = [](const Json& row) { return row.find("score")->number() == 1; };
  EXPECT_EQ(value_of(json, "rows", {.subset = "dev"}), 30);
  EXPECT_EQ(value_of(json, "positives", {.subset = "dev"}),
            std::ranges::count_if(fixture.find("dev")->array(), positive));
  const std::string all = notes(json);
  expect_says(all, {"p: all human labels are the same, correlations and pairwise accuracy are "
                    "undefined, and so is ROC AUC\n",
                    "n: all human labels are the same, correlations and pairwise accuracy are "
                    "undefined, and so are ROC AUC and F1, as no row is positive\n",
                    "It is the best on the 30 dev rows ("});
  EXPECT_FALSE(holds(all, "half"));
}

TEST_F(EvaluateBinaryAgreement, EveryFormatSaysWhereThresholdsAreFrom) {
  write_dev();
  const std::string dev = folder_.file("dev.jsonl"), report = folder_.file("report.html");
  const Outcome text =
      evaluate("measured.jsonl", {"--dev", dev, "--group", "system", "--report", report});
  expect_says(text.out, {"dev threshold", "Accuracy at the dev threshold by group"});
  EXPECT_FALSE(holds(text.out, "0.4734 /"));  // no halves
  expect_contains(text.err, "|dev:" + short_sha256_file(dev) + "|human:score|");
  expect_contains(read_file(report), "Data: " + folder_.file("measured.jsonl") +
                                         " (labels: score), " + dev + " (dev rows)");
  const Outcome csv =
      evaluate("measured.jsonl", {"--dev", dev, "--group", "system", "--format", "csv"});
  expect_contains(csv.out, "\nfine,,,,,,,,accuracy_threshold,0.4734");
  expect_contains(csv.out, "\ncoarse,,,n,,,,,f1_threshold,0.25,,,,,,,,8,\n");
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
  EXPECT_EQ(value_of(json, "accuracy_threshold", {.metric = "f1"}), 0.5);
  EXPECT_EQ(value_of(json, "accuracy", {.metric = "f1"}), 0.75);
  EXPECT_NEAR(value_of(json, "f1", {.metric = "f1"}), 6.0 / 7, 1e-9);
  expect_contains(notes(json), "dev rows: 1 row without a human label left out");
  EXPECT_EQ(value_of(json, "unlabelled", {.subset = "dev"}), 1);
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
    done(evaluate("rows.csv", {"--dev", folder_.file(dev), "--group", "set", "--system", "model"}));
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
    return value_of(json, "shared_rows", {.subset = "dev"});
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
  EXPECT_EQ(value_of(json, "accuracy", {.metric = "f1"}), 1);
  EXPECT_EQ(value_of(json, "accuracy", {.metric = "verdict"}), 0.75);
  EXPECT_EQ(value_of(json, "accuracy_threshold", {.metric = "f1"}), 0.5);
  const Json by_verdict = json_of("rows.csv", {"--human", "verdict", "--metric", "f1"});
  EXPECT_EQ(value_of(by_verdict, "positives"), 3);
  folder_.write("grades.csv", "judge,f1\ngood,0.9\nno,0.1\n");
  expect_message(evaluate("grades.csv", {"--human", "judge"}), 2,
                 {"it is \"good\"", "grades.csv:2", "yes/no, right/wrong"});
}

// The one --human names the field in both files, so that another name would be refused in the
// other.
TEST_F(EvaluateBinaryAgreement, AnotherNameOfTheLabelsInDevIsToBeChangedThere) {
  folder_.write("rows.csv", "judge,f1\n1,0.9\n0,0.1\n");
  folder_.write("dev.csv", "human,f1\n1,0.9\n0,0.1\n");
  expect_message(
      evaluate("rows.csv", {"--dev", folder_.file("dev.csv"), "--human", "judge"}), 2,
      {"no row has the field \"judge\"", "dev.csv",
       "rename the field with these values to \"judge\", its name in " + folder_.file("rows.csv"),
       "are human, f1"});
}

TEST_F(EvaluateBinaryAgreement, GroupsWithoutALabelAreSaidToBe) {
  const Json json = json_of("rows.jsonl", {"--group", "system"});
  for (const std::string statistic :
       {"accuracy", "accuracy_threshold", "accuracy_threshold_first_half", "f1", "f1_threshold",
        "f1_threshold_second_half", "ece"}) {
    const Json& one = measured(json, statistic, {.metric = "fine", .group = "c"});
    EXPECT_TRUE(one.find("value")->is_null()) << statistic;
    EXPECT_EQ(one.find("low"), nullptr) << statistic;
    EXPECT_EQ(one.find("why_missing")->string(), "all human labels are the same");
  }
  expect_says(notes(json),
              {"c: all human labels are the same, correlations and pairwise accuracy are "
               "undefined, and so are ROC AUC",
               "a half of the questions has one of the two labels only"});
  const Outcome text = evaluate("rows.jsonl", {"--group", "system"});
  expect_says(text.out, {"ROC AUC by group", "–"});
}

TEST_F(EvaluateBinaryAgreement, EveryFormatHoldsTheValues) {
  const Json& all = *fixture_.find("groups")->find("");
  const Json& fine = *all.find("metrics")->find("fine")->find("binary");
  for (const char* format : {"text", "markdown", "latex", "csv"}) {
    const Outcome outcome = done(evaluate("rows.jsonl", {"--group", "system", "--format", format}));
    const double auc = fine.find("roc_auc")->find("value")->number();
    expect_contains(outcome.out, std::string(format) == "csv"
                                     ? Json(auc).dump()
                                     : std::to_string(std::round(1000 * auc) / 1000).substr(0, 5));
    EXPECT_FALSE(holds(outcome.out, "nan")) << format;
  }
  const Outcome text = evaluate("rows.jsonl", {"--system", "system"});
  expect_contains(text.out, "3.028 / 3.686 / 2.881");  // all rows' threshold and the halves'
  expect_contains(text.out, "positive: label 5 (31 rows; the negative label is 1)");
  EXPECT_FALSE(holds(text.out, "by group"));
  const Outcome csv = evaluate("rows.jsonl", {"--group", "system", "--format", "csv"});
  expect_contains(csv.out, "\nfine,,,,,,,,accuracy_threshold,3.0282");
  expect_contains(csv.out, "\nfine,,,d,,,,,accuracy_threshold,inf,,,,,,,,6,\n");
  expect_contains(csv.out,
                  "\nfine,,,c,,,,,accuracy_threshold,,,,,,,,,9,all human labels are the same\n");
  expect_contains(csv.out, "\ncoarse,,,,,,,,pairwise_epsilon,0,,,,,,,,51,\n");
}

// The halves do not depend on the order of the rows, and other rows do not move them.
TEST_F(EvaluateBinaryAgreement, HalvesAreOfTheQuestionsAndTheSeed) {
  std::string reversed;
  const Json::Array& rows = fixture_.find("rows")->array();
  for (size_t i = rows.size(); i-- > 0;) reversed += rows[i].dump() + "\n";
  folder_.write("reversed.jsonl", reversed);
  const auto accuracy = [&](const std::string& file, const std::string& seed) {
    const Json json = json_of(file, {"--system", "system", "--seed", seed});
    return std::pair(value_of(json, "accuracy_threshold_first_half", {.metric = "fine"}),
                     value_of(json, "accuracy_threshold_second_half", {.metric = "fine"}));
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
  expect_contains(text.out, "0.98762 / 0.98762 / 0.98762");
  const Outcome csv = evaluate("close.csv", {"--format", "csv"});
  EXPECT_FALSE(holds(csv.out, "close,,,,,,,,accuracy_threshold,0.9876,"));
}

TEST_F(EvaluateBinaryAgreement, TrueAndFalseAreTwoValues) {
  folder_.write("judged.jsonl", R"({"judge": true, "scores": {"f1": 0.9}}
{"judge": false, "scores": {"f1": 0.1}}
{"judge": true, "scores": {"f1": 0.6}}
{"judge": false, "scores": {"f1": 0.2}}
)");
  const Json json = json_of("judged.jsonl", {"--human", "judge"});
  EXPECT_EQ(value_of(json, "roc_auc", {.metric = "f1"}), 1);
  EXPECT_EQ(value_of(json, "accuracy_threshold", {.metric = "f1"}), 0.4);
}

TEST_F(EvaluateBinaryAgreement, GradedLabelsHavePairsAndNoThresholds) {
  folder_.write("graded.csv", "score,f1\n1,0.1\n2,0.2\n3,0.2\n1,0.5\n");
  const Json json = json_of("graded.csv");
  for (const char* statistic : {"positive", "roc_auc", "threshold"}) {
    EXPECT_FALSE(holds(json.dump(), statistic)) << statistic;
  }
  EXPECT_TRUE(measured(json, "pairwise_accuracy", {.metric = "f1"}).find("value")->is_number());
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
      const Outcome outcome = done(evaluate(file, {"--format", format}));
      EXPECT_FALSE(holds(outcome.out, "nan")) << outcome.out;
    }
  }
  expect_contains(evaluate("one.csv").out, "one row, correlations are undefined");
}

TEST_F(EvaluateBinaryAgreement, TheReportHasTheTables) {
  const std::string report = folder_.file("report.html");
  EXPECT_EQ(evaluate("rows.jsonl", {"--report", report, "--group", "system"}).code, 0);
  const std::string html = read_file(report);
  expect_says(html, {"Agreement with the two labels over 51 rows", "Pairwise accuracy by group"});
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

}  // namespace rubric::cli::agreement_binary_test
