// `estimate` on answers whose mean labels are known.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/estimate_command.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli {
namespace {

void expect_value(const Json* ours, const Json& expected) {
  ASSERT_NE(ours, nullptr);
  if (expected.is_number()) {
    EXPECT_NEAR(ours->number(), expected.number(), 1e-8);
    return;
  }
  for (const auto& [name, value] : expected.object()) {
    SCOPED_TRACE(name);
    ASSERT_NE(ours->find(name), nullptr);
    if (value.is_number()) {
      EXPECT_NEAR(ours->find(name)->number(), value.number(), 1e-8);
    } else {
      for (size_t end = 0; end < 2; ++end) {
        EXPECT_NEAR(ours->find(name)->array()[end].number(), value.array()[end].number(), 1e-8);
      }
    }
  }
}

// Of all answers, or of a group.
void expect_results(const Json& ours, const Json& expected) {
  for (const Json& system : ours.find("systems")->array()) {
    SCOPED_TRACE(system.find("system")->string());
    const Json& theirs = *expected.find("systems")->find(system.find("system")->string());
    for (const char* count : {"n", "labels"}) {
      EXPECT_EQ(system.find(count)->number(), theirs.find(count)->number());
    }
    expect_value(system.find("labels_alone"), *theirs.find("labels_alone"));
    for (const char* by : {"metric_alone", "with"}) {
      for (const auto& [metric, value] : theirs.find(by)->object()) {
        expect_value(system.find(by)->find(metric), value);
      }
    }
  }
  const Json &difference = ours.find("differences")->array().at(0),
             &theirs = *expected.find("difference");
  EXPECT_EQ(difference.find("first")->string(), "one");
  expect_value(difference.find("labels_alone"), *theirs.find("labels_alone"));
  for (const auto& [metric, value] : theirs.find("with")->object()) {
    expect_value(difference.find("with")->find(metric), value);
  }
  for (const auto& [metric, value] : expected.find("correlations")->object()) {
    const Json& correlation = *ours.find("correlations")->find(metric);
    for (const std::string of : {"labels_alone", "corrected"}) {
      expect_value(correlation.find(of),
                   Json::Object{{"value", *value.find(of)}, {"ci95", *value.find(of + "_ci95")}});
    }
  }
}

// Means by ppi-python, errors, differences and correlations by numpy and scipy (make_estimate.py).
TEST_F(EstimateCommand, EqualsTheAuthorsPackageForSystemsAndGroups) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/estimate.json");
  std::string rows, labels = "id,system,verdict\n";
  for (Json row : fixture.find("rows")->array()) {
    rows += row.dump() + "\n";
    const std::string key = row.find("id")->string() + "," + row.find("system")->string() + ",";
    const Json& verdict = *row.find("verdict");
    labels += key + (verdict.is_null() ? "" : verdict.dump()) + "\n";
  }
  folder_.write("all.jsonl", rows);
  folder_.write("labels.csv", labels);
  const std::vector<std::string> options = {"--human", "verdict", "--system",
                                            "system",  "--group", "dataset"};
  std::vector<std::string> with_file = options;
  with_file.insert(with_file.end(), {"--labels", "labels.csv"});
  for (const Json& json : {json_of("all.jsonl", options), json_of("all.jsonl", with_file)}) {
    expect_results(json, *fixture.find("all"));
    for (const auto& [name, group] : fixture.find("groups")->object()) {
      SCOPED_TRACE(name);
      expect_results(*json.find("groups")->find(name), group);
    }
    const Json& one = json.find("systems")->array()[0];
    EXPECT_EQ(one.find("questions")->number(), 120);
    EXPECT_EQ(one.find("labelled_questions")->number(), 44);
    EXPECT_NE(one.find("with")->find("combination"), nullptr);
  }
  const Json json = json_of("all.jsonl", with_file);
  // Drawn with other random numbers. The mean of 44 labels takes steps of 1/44, so that an end may
  // be one step away.
  const Json &one = json.find("systems")->array()[0], &pair = json.find("differences")->array()[0];
  const std::map<std::string, const Json*> ours = {
      {"labels_alone", one.find("labels_alone")},
      {"with", one.find("with")->find("good")},
      {"difference_labels_alone", pair.find("labels_alone")},
      {"difference_with", pair.find("with")->find("good")}};
  for (const auto& [name, ends] : fixture.find("bootstrap")->object()) {
    SCOPED_TRACE(name);
    const double error = ours.at(name)->find("standard_error")->number();
    const double step = holds(name, "labels_alone") ? 1.0 / 44 : 0;
    for (size_t end = 0; end < 2; ++end) {
      EXPECT_NEAR(ours.at(name)->find("ci95_bootstrap")->array()[end].number(),
                  ends.array()[end].number(), std::max(error / 8, step));
    }
  }
  EXPECT_EQ(json.find("notes")->array()[0].string(),
            "152 rows of " + folder_.file("labels.csv") + " have no label");
}

TEST_F(EstimateCommand, TablesSayWhatMayBeConcluded) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/estimate.json");
  std::string rows;
  for (const Json& row : fixture.find("rows")->array()) rows += row.dump() + "\n";
  folder_.write("all.jsonl", rows);
  const std::vector<std::string> options = {"--human",  "verdict", "--system", "system",
                                            "--metric", "good",    "--report", "page.html"};
  const Outcome outcome = estimate("all.jsonl", options);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string best = "“one” has the highest mean verdict by labels and “good”, 0.";
  const std::string worth = "With “good” the 44 labels of “one” are worth ";
  const std::string page = read_file(folder_.file("page.html"));
  for (const std::string& sentence : {best, worth}) {
    expect_contains(outcome.out, sentence);
    expect_contains(page, sentence);
  }
  expect_contains(outcome.out, "Mean verdict of 240 answers, 88 of them labelled");
  expect_contains(outcome.out, "good alone (biased)");
  expect_contains(outcome.err, "estimate|human:verdict|metric:good|all:");
  for (const char* part : {"<svg", "labels alone", "labels and good", "rubric estimate"}) {
    expect_contains(page, part);
  }
  std::vector<std::string> csv = options;
  csv.insert(csv.end(), {"--format", "csv"});
  const std::string values = estimate("all.jsonl", csv).out;
  expect_contains(values,
                  "figure,group,system,other,source,metric,value,low,high,bootstrap_low,"
                  "bootstrap_high,standard_error,lambda,effective_labels,p_holm,n,labels\n");
  expect_contains(values, "mean,,one,,both,good,0.758416,");
  expect_contains(values, ",0.279924,");
  expect_contains(values, "mean,,one,,metric,good,");
  expect_contains(values, "difference,,one,two,labels,,0.136364,");
  expect_contains(
      estimate("all.jsonl", {"--human", "verdict", "--system", "system", "--format", "markdown"})
          .out,
      "| one ");
}

// label = 2 a - 3 b and some noise: the combination of a and b is as good as a metric that is
// 2 a - 3 b.
TEST_F(EstimateCommand, SeveralMetricsAreCombined) {
  std::string all = "id,a,b,exact,rating\n";
  double sum = 0;
  for (int i = 0; i < 200; ++i) {
    const double a = (i * 37 % 101) / 10.0, b = (i * 53 % 89) / 10.0;
    const double exact = 2 * a - 3 * b, label = exact + (i * 29 % 17 - 8) / 20.0;
    sum += label;
    all += std::to_string(i) + "," + std::to_string(a) + "," + std::to_string(b) + "," +
           std::to_string(exact) + "," + (i % 5 == 0 ? std::to_string(label) : "") + "\n";
  }
  folder_.write("all.csv", all);
  const auto system_by = [&](const std::string& metrics) {
    return json_of("all.csv", {"--human", "rating", "--metric", metrics})
        .find("systems")
        ->array()[0];
  };
  const Json two = system_by("a,b"), exact = system_by("exact");
  EXPECT_EQ(two.find("system"), nullptr);
  const Json &combined = *two.find("with")->find("combination"),
             &by_exact = *exact.find("with")->find("exact");
  EXPECT_NEAR(by_exact.find("value")->number(), sum / 200, 0.05);
  for (const char* name : {"value", "standard_error"}) {  // of labels from -26 to 20
    EXPECT_NEAR(combined.find(name)->number(), by_exact.find(name)->number(), 0.02) << name;
  }
  for (const char* metric : {"a", "b"}) {
    EXPECT_LT(two.find("with")->find(metric)->find("effective_labels")->number(),
              0.8 * combined.find("effective_labels")->number());
  }
  const Outcome text = estimate("all.csv", {"--human", "rating", "--metric", "a,b"});
  expect_contains(text.out, "from labels and “combination”; labels alone say");
  expect_contains(text.out, "With “combination” the 40 labels are worth");
  // Without --metric, columns of numbers are metrics.
  EXPECT_EQ(json_of("all.csv", {"--human", "rating"})
                .find("systems")
                ->array()[0]
                .find("with")
                ->object()
                .size(),
            4u);
}

// Each answer twice: as many questions, so the same error.
TEST_F(EstimateCommand, AnswersToOneQuestionAreOneCluster) {
  for (const int times : {1, 2}) {
    std::string all = "id,question,f1,verdict\n";
    for (int i = 0; i < 40 * times; ++i) {
      const int question = i % 40;
      all += std::to_string(i) + ",q" + std::to_string(question) + "," +
             std::to_string(question % 7) +
             (question < 20 ? (question % 3 == 0 ? ",1\n" : ",0\n") : ",\n");
    }
    folder_.write(times == 1 ? "once.csv" : "twice.csv", all);
  }
  const Json once = json_of("once.csv", {"--human", "verdict"}).find("systems")->array()[0];
  const Json twice = json_of("twice.csv", {"--human", "verdict"}).find("systems")->array()[0];
  EXPECT_EQ(twice.find("labels")->number(), 40);
  EXPECT_EQ(twice.find("labelled_questions")->number(), 20);
  expect_value(twice.find("metric_alone")->find("f1"), *once.find("metric_alone")->find("f1"));
  const auto error = [](const Json& of) { return of.find("standard_error")->number(); };
  EXPECT_NEAR(error(*twice.find("labels_alone")), error(*once.find("labels_alone")), 1e-12);
  // Lambda takes the variance of 80 answers in place of 40.
  EXPECT_NEAR(error(*twice.find("with")->find("f1")), error(*once.find("with")->find("f1")), 1e-3);
}

TEST_F(EstimateCommand, LabelsAreWeightedByProbabilityOrStratum) {
  write_answers();
  append("labels.csv", "q20,1,0.5\nq22,1,0.5\n");
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  const auto alone = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = options;
    all.insert(all.end(), more.begin(), more.end());
    const Json system = json_of("all.csv", all).find("systems")->array()[0];
    for (const Json* of : {system.find("labels_alone"), system.find("with")->find("f1")}) {
      const Json::Array& ends = of->find("ci95_bootstrap")->array();
      const double width = 2 * 1.96 * of->find("standard_error")->number();
      EXPECT_NEAR(ends[1].number() - ends[0].number(), width, 0.2 * width);
    }
    return system.find("labels_alone")->find("value")->number();
  };
  EXPECT_NEAR(alone({}), 12.0 / 22, 1e-12);
  // Of weights 4 (ten labels) and 2 (twelve): 5 and 7 are 1.
  EXPECT_NEAR(alone({"--probability", "chance"}), (5 * 4 + 7 * 2) / (10 * 4 + 12 * 2.0), 1e-12);
  // x: 11 labels of 0, 1, 4, 5, …, 20, six of them 1; y: 11 labels, six of them 1; 20 answers each.
  EXPECT_NEAR(alone({"--strata", "kind"}), (6.0 / 11 + 6.0 / 11) / 2, 1e-12);
  folder_.write("labels.csv", read_file(folder_.file("labels.csv")) + "q26,1,0.5\nq30,1,1\n");
  EXPECT_NEAR(alone({"--strata", "kind"}), (6.0 / 11 + 8.0 / 13) / 2, 1e-12);
}

TEST_F(EstimateCommand, RepeatedLabelsAreAveragedIfAsked) {
  write_answers();
  append("labels.csv", "q0,0,0.25\n");
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  expect_refused("all.csv", options, {"1 answer has several labels: id q0", "--average"});
  const Json json =
      json_of("all.csv", {"--labels", "labels.csv", "--human", "verdict", "--average"});
  const Json& system = json.find("systems")->array()[0];
  EXPECT_EQ(system.find("labels")->number(), 20);
  EXPECT_NEAR(system.find("labels_alone")->find("value")->number(), 9.5 / 20, 1e-12);
  expect_contains(json.find("notes")->dump(), "1 answer has several labels, which are averaged");
  append("labels.csv", "q1,0,0.5\n");
  expect_refused(
      "all.csv",
      {"--labels", "labels.csv", "--human", "verdict", "--average", "--probability", "chance"},
      {"two labels of one answer have different probabilities", "q1"});
}

// What the files call the fields of an answer, and whether rows have ids, changes no number.
TEST_F(EstimateCommand, RowsAreFoundUnderOtherNamesAndByQuestion) {
  write_answers();
  const Json expected = json_of("all.csv", {"--labels", "labels.csv", "--human", "verdict"});
  std::string all = "number,f1\n", labels = "number,verdict\n", questions = "question,f1\n",
              of_questions = "question,verdict\n";
  for (int i = 0; i < 40; ++i) {
    const std::string f1 = "," + std::to_string(i / 40.0) + "\n",
                      verdict = i % 2 == 0 ? ",1\n" : ",0\n";
    all += std::to_string(i) + f1;
    questions += "why " + std::to_string(i) + "?" + f1;
    if (i < 20) labels += std::to_string(i) + verdict;
    if (i < 20)
      of_questions = "question,verdict\nwhy " + std::to_string(i) + "?" + verdict +
                     of_questions.substr(of_questions.find('\n') + 1);
  }
  folder_.write("all.csv", all);
  folder_.write("labels.csv", labels);
  const Json by_id =
      json_of("all.csv", {"--labels", "labels.csv", "--human", "verdict", "--field", "id=number"});
  expect_same_estimates(*by_id.find("systems"), *expected.find("systems"));
  folder_.write("all.csv", questions);
  folder_.write("labels.csv", of_questions);
  const Json by_question = json_of("all.csv", {"--labels", "labels.csv", "--human", "verdict"});
  expect_same_estimates(*by_question.find("systems"), *expected.find("systems"));
  EXPECT_TRUE(holds(by_question.dump(), "joined to answers by question"));
  expect_refused("all.csv", {"--labels", "labels.csv", "--human", "verdict", "--field", "id=key"},
                 {"the field \"key\" is missing"});
}

// A field that only the last rows have is found as well as one of the first.
TEST_F(EstimateCommand, FieldsAreNamedByAllRowsInAnyOrder) {
  std::string lines, reversed, unnamed;
  constexpr int kRows = 160, kWithQuestion = 40;
  for (int i = 0; i < kRows; ++i) {
    Json row(Json::Object{{"id", "r" + std::to_string(i)}});
    row["scores"] = Json(Json::Object{{"f1", i % 7 / 7.0}});
    row["human"] = i % 3 % 2;
    unnamed += row.dump() + "\n";
    if (i >= kRows - kWithQuestion) row["user_input"] = "q" + std::to_string(i / 10);
    lines += row.dump() + "\n";
    reversed = row.dump() + "\n" + reversed;
  }
  folder_.write("forth.jsonl", lines);
  folder_.write("back.jsonl", reversed);
  const Json forth = json_of("forth.jsonl", {"--human", "human"});
  expect_same_estimates(*forth.find("systems"),
                        *json_of("back.jsonl", {"--human", "human"}).find("systems"));
  // Rows of one question are one cluster.
  folder_.write("without.jsonl", unnamed);
  EXPECT_NE(forth.find("systems")->dump(),
            json_of("without.jsonl", {"--human", "human"}).find("systems")->dump());
}

}  // namespace
}  // namespace rubric::cli
