// `estimate` on answers whose mean labels are known.
#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/estimate_command.h"
#include "cli/peak_memory.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli::estimate_test {

// The mean, difference or correlation of these keys, and what belongs to it.
void expect_estimate(const Json& ours, const std::string& statistic, Keys keys,
                     const Json& expected) {
  SCOPED_TRACE(statistic + " " + keys.system + " " + keys.source + " " + keys.metric);
  for (const auto& [name, value] : expected.object()) {
    SCOPED_TRACE(name);
    if (name != "value" && name != "ci95") {
      EXPECT_NEAR(value_of(ours, name, keys), value.number(), 1e-8);
      continue;
    }
    Keys of_student = keys;
    of_student.method = "t";
    const Json& one = measured(ours, statistic, of_student);
    if (name == "value") {
      EXPECT_NEAR(one.find("value")->number(), value.number(), 1e-8);
    } else {
      EXPECT_NEAR(one.find("low")->number(), value.array()[0].number(), 1e-8);
      EXPECT_NEAR(one.find("high")->number(), value.array()[1].number(), 1e-8);
    }
  }
}

void expect_estimates(const Json& ours, const std::string& statistic, Keys keys,
                      const Json& expected) {
  keys.source = "labels";
  expect_estimate(ours, statistic, keys, *expected.find("labels_alone"));
  keys.source = "both";
  for (const auto& [metric, value] : expected.find("with")->object()) {
    keys.metric = metric;
    expect_estimate(ours, statistic, keys, value);
  }
}

// Of all answers, or of a group.
void expect_results(const Json& ours, const std::string& group, const Json& expected) {
  for (const auto& [system, theirs] : expected.find("systems")->object()) {
    const Keys keys{.system = system, .group = group};
    EXPECT_EQ(value_of(ours, "answers", keys), theirs.find("n")->number());
    EXPECT_EQ(value_of(ours, "labels", keys), theirs.find("labels")->number());
    expect_estimates(ours, "mean", keys, theirs);
    for (const auto& [metric, value] : theirs.find("metric_alone")->object()) {
      const Keys of_metric{.metric = metric, .system = system, .group = group, .source = "metric"};
      EXPECT_NEAR(value_of(ours, "mean", of_metric), value.number(), 1e-8);
    }
  }
  expect_estimates(ours, "difference", {.system = "one", .against = "two", .group = group},
                   *expected.find("difference"));
  for (const auto& [metric, value] : expected.find("correlations")->object()) {
    for (const auto& [source, name] :
         {std::pair("labels", "labels_alone"), {"both", "corrected"}}) {
      expect_estimate(ours, "correlation", {.metric = metric, .group = group, .source = source},
                      Json::Object{{"value", *value.find(name)},
                                   {"ci95", *value.find(std::string(name) + "_ci95")}});
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
    expect_results(json, "", *fixture.find("all"));
    for (const auto& [name, group] : fixture.find("groups")->object()) {
      expect_results(json, name, group);
    }
    EXPECT_EQ(value_of(json, "questions", {.system = "one"}), 120);
    EXPECT_EQ(value_of(json, "labelled_questions", {.system = "one"}), 44);
    measured(json, "lambda", {.metric = "combination", .system = "one", .source = "both"});
  }
  const Json json = json_of("all.jsonl", with_file);
  // Drawn with other random numbers. The mean of 44 labels takes steps of 1/44, so that an end may
  // be one step away.
  const Keys labels_of_one{.system = "one", .source = "labels"},
      good_of_one{.metric = "good", .system = "one", .source = "both"};
  Keys labels_of_pair = labels_of_one, good_of_pair = good_of_one;
  labels_of_pair.against = good_of_pair.against = "two";
  const std::map<std::string, Keys> keys = {{"labels_alone", labels_of_one},
                                            {"with", good_of_one},
                                            {"difference_labels_alone", labels_of_pair},
                                            {"difference_with", good_of_pair}};
  for (const auto& [name, ends] : fixture.find("bootstrap")->object()) {
    SCOPED_TRACE(name);
    Keys of = keys.at(name);
    const double error = value_of(json, "standard_error", of);
    const double step = holds(name, "labels_alone") ? 1.0 / 44 : 0;
    of.method = "bootstrap";
    const Json& ours = measured(json, of.against.empty() ? "mean" : "difference", of);
    EXPECT_NEAR(ours.find("low")->number(), ends.array()[0].number(), std::max(error / 8, step));
    EXPECT_NEAR(ours.find("high")->number(), ends.array()[1].number(), std::max(error / 8, step));
  }
  expect_contains(json.find("notes")->dump(),
                  "152 rows of " + folder_.file("labels.csv") + " have no label");
}

TEST_F(EstimateCommand, TablesSayWhatMayBeConcluded) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/estimate.json");
  std::string rows;
  for (const Json& row : fixture.find("rows")->array()) rows += row.dump() + "\n";
  folder_.write("all.jsonl", rows);
  const std::vector<std::string> options = {"--human",  "verdict", "--system", "system",
                                            "--metric", "good",    "--report", "page.html"};
  const Outcome outcome = done(estimate("all.jsonl", options));
  const std::string best = "“one” has the highest mean verdict by labels and “good”, 0.";
  const std::string worth = "With “good” the 44 labels of “one” are worth ";
  const std::string page = read_file(folder_.file("page.html"));
  for (const std::string& sentence : {best, worth}) {
    expect_contains(outcome.out, sentence);
    expect_contains(page, sentence);
  }
  expect_says(outcome.out, {"Mean verdict of 240 answers, 88 of them labelled", "It is biased"});
  expect_contains(outcome.err, "estimate|human:verdict|metric:good|all:");
  for (const char* part :
       {"<svg", "labels alone", "labels and good", "good alone (biased)", "rubric estimate"}) {
    expect_contains(page, part);
  }
  std::vector<std::string> csv = options;
  csv.insert(csv.end(), {"--format", "csv"});
  const std::string values = estimate("all.jsonl", csv).out;
  expect_says(values,
              {"metric,system,against,group,source,", "\ngood,one,,,both,,t,,mean,0.7584164",
               "\ngood,one,,,both,,,,lambda,0.279923", "\ngood,one,,,metric,,,,mean,",
               "\n,one,two,,labels,,bootstrap,,difference,0.1363636"});
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
  const auto by = [&](const std::string& metrics) {
    return json_of("all.csv", {"--human", "rating", "--metric", metrics});
  };
  const Json two = by("a,b"), one = by("exact");
  const Keys combined{.metric = "combination", .source = "both", .method = "t"},
      exact{.metric = "exact", .source = "both", .method = "t"};
  const Keys of_combined{.metric = "combination", .source = "both"},
      of_exact{.metric = "exact", .source = "both"};
  EXPECT_EQ(measured(two, "mean", combined).find("system"), nullptr);
  EXPECT_NEAR(value_of(one, "mean", exact), sum / 200, 0.05);
  // Of labels from -26 to 20.
  EXPECT_NEAR(value_of(two, "mean", combined), value_of(one, "mean", exact), 0.02);
  EXPECT_NEAR(value_of(two, "standard_error", of_combined),
              value_of(one, "standard_error", of_exact), 0.02);
  for (const char* metric : {"a", "b"}) {
    EXPECT_LT(value_of(two, "effective_labels", {.metric = metric, .source = "both"}),
              0.8 * value_of(two, "effective_labels", of_combined));
  }
  const Outcome text = estimate("all.csv", {"--human", "rating", "--metric", "a,b"});
  expect_contains(text.out, "from labels and “combination”; labels alone say");
  expect_contains(text.out, "With “combination” the 40 labels are worth");
  // Without --metric, columns of numbers are metrics.
  const Json all_metrics = json_of("all.csv", {"--human", "rating"});
  for (const char* metric : {"a", "b", "exact", "combination"}) {
    measured(all_metrics, "lambda", {.metric = metric, .source = "both"});
  }
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
  const Json once = json_of("once.csv", {"--human", "verdict"});
  const Json twice = json_of("twice.csv", {"--human", "verdict"});
  EXPECT_EQ(value_of(twice, "labels"), 40);
  EXPECT_EQ(value_of(twice, "labelled_questions"), 20);
  EXPECT_NEAR(value_of(twice, "mean", {.metric = "f1", .source = "metric"}),
              value_of(once, "mean", {.metric = "f1", .source = "metric"}), 1e-8);
  EXPECT_NEAR(value_of(twice, "standard_error", {.source = "labels"}),
              value_of(once, "standard_error", {.source = "labels"}), 1e-12);
  // Lambda takes the variance of 80 answers in place of 40.
  EXPECT_NEAR(value_of(twice, "standard_error", {.metric = "f1", .source = "both"}),
              value_of(once, "standard_error", {.metric = "f1", .source = "both"}), 1e-3);
}

TEST_F(EstimateCommand, LabelsAreWeightedByProbabilityOrStratum) {
  write_answers();
  append("labels.csv", "q20,1,0.5\nq22,1,0.5\n");
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  const auto alone = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = options;
    all.insert(all.end(), more.begin(), more.end());
    const Json json = json_of("all.csv", all);
    for (Keys keys : {Keys{.source = "labels"}, Keys{.metric = "f1", .source = "both"}}) {
      const double width = 2 * 1.96 * value_of(json, "standard_error", keys);
      keys.method = "bootstrap";
      const Json& mean = measured(json, "mean", keys);
      EXPECT_NEAR(mean.find("high")->number() - mean.find("low")->number(), width, 0.2 * width);
    }
    return value_of(json, "mean", {.source = "labels", .method = "t"});
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
  EXPECT_EQ(value_of(json, "labels"), 20);
  EXPECT_NEAR(value_of(json, "mean", {.source = "labels", .method = "t"}), 9.5 / 20, 1e-12);
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
  expect_same_estimates(by_id, expected);
  folder_.write("all.csv", questions);
  folder_.write("labels.csv", of_questions);
  const Json by_question = json_of("all.csv", {"--labels", "labels.csv", "--human", "verdict"});
  expect_same_estimates(by_question, expected);
  EXPECT_TRUE(holds(by_question.dump(), "joined to answers by question"));
  expect_refused("all.csv", {"--labels", "labels.csv", "--human", "verdict", "--field", "id=key"},
                 {"the field \"key\" is missing"});
}

// A field that only the last rows have is found as well as one of the first.
TEST_F(EstimateCommand, FieldsAreNamedByAllRowsInAnyOrder) {
  std::string lines, reversed, unnamed;
  constexpr int kRows = 1'640, kWithQuestion = 40;  // of which a thousand tell the names first
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
  expect_same_estimates(forth, json_of("back.jsonl", {"--human", "human"}));
  // Rows of one question are one cluster.
  folder_.write("without.jsonl", unnamed);
  EXPECT_EQ(value_of(forth, "questions"), kRows - kWithQuestion + kWithQuestion / 10);
  EXPECT_EQ(value_of(json_of("without.jsonl", {"--human", "human"}), "questions"), kRows);
}

// Answers without a score are left out with their labels, whoever labelled them.
TEST_F(EstimateCommand, AnswersWithoutAScoreAreLeftOutIfAsked) {
  std::string all = "id,f1,verdict\n", labels = "id,verdict\n", scored = all,
              labels_of_scored = labels;
  for (int i = 0; i < 80; ++i) {
    const std::string id = "q" + std::to_string(i), verdict = std::to_string(i % 3 % 2);
    const bool is_scored = i % 10 != 4, is_labelled = i < 40;
    const std::string row = id + "," + (is_scored ? std::to_string(i % 7 / 7.0) : "") + "," +
                            (is_labelled ? verdict : "") + "\n";
    all += row;
    if (is_scored) scored += row;
    if (!is_labelled) continue;
    labels += id + "," + verdict + "\n";
    if (is_scored) labels_of_scored += id + "," + verdict + "\n";
  }
  for (const auto& [name, text] : {std::pair("all.csv", &all),
                                   {"scored.csv", &scored},
                                   {"labels.csv", &labels},
                                   {"few.csv", &labels_of_scored}}) {
    folder_.write(name, *text);
  }
  const std::vector<std::string> human = {"--human", "verdict", "--metric", "f1"};
  expect_refused("all.csv", human, {"has no score in 8 of 80 rows", "--missing drop"});
  const Json wanted = json_of("scored.csv", human);
  const auto dropped = [&](std::vector<std::string> options) {
    options.insert(options.end(), human.begin(), human.end());
    options.insert(options.end(), {"--missing", "drop"});
    const Json json = json_of("all.csv", options);
    expect_contains(json.find("signature")->string(), "|missing:drop");
    return json;
  };
  expect_same_estimates(dropped({}), wanted);
  expect_same_estimates(dropped({"--labels", "labels.csv"}), wanted);
  expect_same_estimates(dropped({"--labels", "few.csv"}), wanted);
}

// Of a row nothing is kept that no estimate reads: neither its texts nor the file's.
TEST(EstimateCommandMemory, HoldsNoTexts) {
  const TemporaryFolder folder;
  const auto peak_of = [&](const std::string& command, size_t length) {
    std::string rows, labels = "id,verdict\n";
    for (int i = 0; i < 8000; ++i) {
      const std::string text(length, static_cast<char>('a' + i % 26)), id = std::to_string(i);
      rows += R"({"id": ")" + id + R"(", "question": "q)" + id + text + R"(", "passage": ")" +
              text + R"(", "candidate": ")" + text + R"(", "prompt_text": ")" + text +
              R"(", "scores": {"f1": )" + std::to_string(i % 7) + "}}\n";
      if (i % 80 == 0) labels += id + "," + std::to_string(i / 80 % 2) + "\n";
    }
    folder.write("rows.jsonl", rows);
    folder.write("labels.csv", labels);
    std::vector<std::string> call = {"rubric",   command,
                                     "--all",    folder.file("rows.jsonl"),
                                     "--labels", folder.file("labels.csv"),
                                     "--human",  "verdict"};
    if (command == "plan") call.insert(call.end(), {"--width", "0.1"});
    return peak_memory(call);
  };
  for (const char* const command : {"estimate", "plan"}) {
    const std::optional<int64_t> of_short = peak_of(command, 10);
    if (!of_short) GTEST_SKIP() << "processes may not be traced here";
    EXPECT_LT(peak_of(command, 2500).value(), *of_short + 20'000) << "the file is 80 MB longer";
  }
}

// Labelled rows keep their texts, others do not: one question is still one.
TEST(EstimateCommandMemory, QuestionsAreTheSameWithoutTexts) {
  const TemporaryFolder folder;
  std::string rows, labels = "id,system,verdict\n", bare = rows;
  for (int i = 0; i < 400; ++i) {
    const std::string question = std::to_string(i / 2), system = i % 2 == 0 ? "a" : "b";
    const std::string scores = R"(, "scores": {"f1": )" + std::to_string(i * 7 % 11) + "}}\n";
    const std::string start =
        R"({"id": ")" + question + R"(", "system": ")" + system + R"(", "question": )";
    rows += start + R"("What is )" + question + std::string(80, '?') + R"(", "context": "c )" +
            question + R"(")" + scores;
    bare += start + R"("What is )" + question + R"(")" + scores;
    if (i % 2 == 0 ? i % 8 == 0 : i % 8 < 4) {
      labels += question + "," + system + "," + std::to_string(i * 5 % 7 % 2) + "\n";
    }
  }
  folder.write("labels.csv", labels);
  const auto estimated = [&](const std::string& text) {
    folder.write("rows.jsonl", text);
    const Outcome outcome = done(run({"rubric", "estimate", "--all", folder.file("rows.jsonl"),
                                      "--labels", folder.file("labels.csv"), "--human", "verdict",
                                      "--system", "system", "--format", "json"}));
    return Json::parse(outcome.out, "stdout");
  };
  const Json with = estimated(rows), without = estimated(bare);
  for (const Keys& keys : {Keys{.system = "a"}, Keys{.system = "b"}}) {
    for (const char* const count : {"questions", "labels", "labelled_questions"}) {
      EXPECT_EQ(value_of(with, count, keys), value_of(without, count, keys)) << count;
    }
  }
  const Keys pair{.metric = "f1", .system = "a", .against = "b", .source = "both"};
  const double error = value_of(without, "standard_error", pair);
  EXPECT_NEAR(value_of(with, "standard_error", pair), error, 1e-12);
}

}  // namespace rubric::cli::estimate_test
