// `evaluate agreement` on rows whose figures scipy gave, and on bad input.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli {
namespace {

class EvaluateAgreement : public testing::Test {
 protected:
  EvaluateAgreement()
      : fixture_(Json::parse_file(std::string(fixtures_folder()) + "/stats/agreement.json")) {
    std::string lines;
    for (const Json& row : fixture_.find("rows")->array()) lines += row.dump() + "\n";
    folder_.write("rows.jsonl", lines);
  }

  // Of which several rows answer one question.
  Json write_questions() {
    Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/questions.json");
    std::string lines;
    for (const Json& row : fixture.find("rows")->array()) lines += row.dump() + "\n";
    folder_.write("questions.jsonl", lines);
    return fixture;
  }

  static std::vector<double> resamples(const Json& json, const char* metric) {
    const Json& pearson = *json.find("all")->find("metrics")->find(metric)->find("pearson");
    std::vector<double> values;
    for (const Json& value : pearson.find("resampled")->find("value")->array()) {
      values.push_back(value.number());
    }
    return values;
  }

  Outcome evaluate(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"evaluate", "agreement", "--input", folder_.file(file)});
    return run(arguments);
  }

  Json figures(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    const Outcome outcome = evaluate(file, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, "stdout");
  }

  static void expect_same(const Json& expected, const Json& figures) {
    for (const auto& [name, value] : expected.object()) {
      const Json& figure = *figures.find(name);
      EXPECT_NEAR(figure.find("value")->number(), value.number(), 1e-9) << name;
      const Json::Array& interval = figure.find("ci95")->array();
      EXPECT_LE(interval[0].number(), value.number() + 1e-9) << name;
      EXPECT_GE(interval[1].number(), value.number() - 1e-9) << name;
    }
  }

  std::string notes(const Json& json) const {
    std::string all;
    for (const Json& note : json.find("notes")->array()) all += note.string() + "\n";
    return all;
  }

  Json fixture_;
  TemporaryFolder folder_;
};

TEST_F(EvaluateAgreement, EqualsScipy) {
  const Json json = figures("rows.jsonl", {"--system", "system"});
  for (const auto& [metric, expected] : fixture_.find("metrics")->object()) {
    expect_same(expected, *json.find("all")->find("metrics")->find(metric));
  }
  for (const auto& [metric, expected] : fixture_.find("systems")->object()) {
    expect_same(expected, *json.find("systems")->find("metrics")->find(metric));
  }
  const Json::Array& tests = json.find("all")->find("tests")->array();
  const Json::Array& expected = fixture_.find("tests")->array();
  ASSERT_EQ(tests.size(), expected.size());
  for (size_t i = 0; i < tests.size(); ++i) {
    EXPECT_EQ(tests[i].find("first")->string(), expected[i].find("first")->string());
    EXPECT_EQ(tests[i].find("second")->string(), expected[i].find("second")->string());
    EXPECT_NEAR(tests[i].find("p")->number(), expected[i].find("p")->number(), 1e-9);
    EXPECT_NEAR(tests[i].find("p_holm")->number(), expected[i].find("p_holm")->number(), 1e-9);
  }
  expect_contains(notes(json), "good has the highest");
}

TEST_F(EvaluateAgreement, GroupsHaveFiguresOfTheirOwn) {
  const Json json = figures("rows.jsonl", {"--group", "system", "--metric", "poor,good"});
  const Json& groups = *json.find("groups");
  EXPECT_EQ(groups.object().size(), 4u);
  EXPECT_EQ(groups.find("b")->find("n")->number(), 9);
  EXPECT_EQ(groups.find("b")->find("tests")->array().size(), 1u);
  const Outcome text = evaluate("rows.jsonl", {"--group", "system"});
  expect_contains(text.out, "Pearson's r by group");
  expect_contains(text.out, "p of a difference between two metrics' r, b (Williams' test");
}

TEST_F(EvaluateAgreement, UndefinedTestsKeepTheirPlace) {
  std::string lines;
  for (int i = 0; i < 6; ++i) {
    Json row;
    row["id"] = i;
    row["score"] = i % 3;
    row["scores"] = Json::Object{{"a", i}, {"same", 1}, {"c", i % 4}};
    lines += row.dump() + "\n";
  }
  folder_.write("constant.jsonl", lines);
  const Json json = figures("constant.jsonl", {"--metric", "a,same,c"});
  const Json::Array& tests = json.find("all")->find("tests")->array();
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_TRUE(tests[0].find("p_holm")->is_null());
  EXPECT_EQ(tests[1].find("second")->string(), "c");
  EXPECT_TRUE(tests[1].find("p")->is_number());
  EXPECT_TRUE(tests[2].find("difference")->is_null());
  expect_contains(notes(json), "p: Holm-corrected over one test");
  expect_contains(notes(json), "no row has a \"question\"");
}

TEST_F(EvaluateAgreement, RecordsOfSeveralSystemsAreNotIndependent) {
  std::string lines;
  for (int i = 0; i < 8; ++i) {
    Json row;
    row["id"] = i / 2;
    row["system"] = i % 2 == 0 ? "one" : "other";
    row["score"] = i % 3;
    row["scores"] = Json::Object{{"a", i}, {"b", i % 4}};
    lines += row.dump() + "\n";
  }
  folder_.write("systems.jsonl", lines);
  const Json json = figures("systems.jsonl", {"--system", "system"});
  expect_contains(notes(json), "all rows: 8 rows of 4 records, resampled by record");
  EXPECT_FALSE(holds(notes(json), "rows are taken as independent"));
}

TEST_F(EvaluateAgreement, TheTestIsThatWhichSuitsTheRows) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/questions.json");
  std::string lines;
  for (const Json& row : fixture.find("rows")->array()) lines += row.dump() + "\n";
  folder_.write("questions.jsonl", lines);
  // Williams' test claims nothing of rows that share questions.
  const std::string williams = notes(figures("questions.jsonl", {"--test", "williams"}));
  EXPECT_FALSE(holds(williams, "at 0.05"));
  expect_contains(williams, "--test permutation exchanges them together");
  const Json permutation = figures("questions.jsonl", {"--test", "permutation"});
  expect_contains(notes(permutation), "at 0.05");
  const Json chosen = figures("questions.jsonl");
  EXPECT_EQ(chosen.dump(), permutation.dump());
  expect_contains(notes(chosen), "--test williams takes rows as independent");
  expect_contains(evaluate("questions.jsonl", {}).err, "|test:permutation|");
  // Rows of one question each.
  std::string apart = "id,question,score,f1,em\n";
  for (int i = 0; i < 12; ++i) {
    apart += std::to_string(i) + ",q" + std::to_string(i) + "," + std::to_string(i % 5) + "," +
             std::to_string(i % 4) + "," + std::to_string(i % 3) + "\n";
  }
  folder_.write("apart.csv", apart);
  const Outcome outcome = evaluate("apart.csv", {});
  expect_contains(outcome.err, "|test:williams|");
  EXPECT_FALSE(holds(outcome.out, "--test"));
}

TEST_F(EvaluateAgreement, ResampledIsOfJsonAlone) {
  expect_message(evaluate("rows.jsonl", {"--resampled"}), 2, {"add --format json"});
}

TEST_F(EvaluateAgreement, HolmsCorrectionIsOverAllGroups) {
  const Json json = figures("rows.jsonl", {"--group", "system"});
  const Json::Array& expected = fixture_.find("grouped_tests")->array();
  ASSERT_EQ(expected.size(), 15u);
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string& group = expected[i].find("group")->string();
    const Json& of_group = group.empty() ? *json.find("all") : *json.find("groups")->find(group);
    const Json& test = of_group.find("tests")->array().at(i % 3);
    EXPECT_EQ(test.find("second")->string(), expected[i].find("second")->string());
    EXPECT_NEAR(test.find("p")->number(), expected[i].find("p")->number(), 1e-9);
    EXPECT_NEAR(test.find("p_holm")->number(), expected[i].find("p_holm")->number(), 1e-9) << i;
  }
  expect_contains(notes(json), "p: Holm-corrected over all 15 tests");
  expect_contains(evaluate("rows.jsonl", {"--group", "system"}).out,
                  "p: Holm-corrected over all 15 tests");
}

TEST_F(EvaluateAgreement, RowsOfOneQuestionAreResampledTogether) {
  const Json fixture = write_questions();
  const Json json = figures("questions.jsonl", {"--resampled"});
  EXPECT_EQ(json.find("all")->find("n")->number(), 22);
  EXPECT_EQ(json.find("all")->find("questions")->number(), 8);
  for (const char* metric : {"first", "second"}) {
    const std::vector<double> values = resamples(json, metric);
    double sum = 0, squares = 0;
    for (const double value : values) sum += value;
    const double mean = sum / static_cast<double>(values.size());
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double expected = fixture.find("sd")->find(metric)->number();
    // By row it is less by a fifth to a third; 10,000 resamples know it to some 2%.
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(values.size())), expected, expected / 15);
  }
  expect_contains(notes(json), "95% intervals of 10000 bootstrap resamples");
  expect_contains(notes(json), "all rows: 22 rows of 8 questions, resampled by question");
  EXPECT_FALSE(holds(notes(figures("rows.jsonl")), "resampled by question"));
}

TEST_F(EvaluateAgreement, RowsOfOneQuestionAreExchangedTogether) {
  const Json fixture = write_questions();
  const Json json = figures("questions.jsonl", {"--test", "permutation"});
  const Json& test = json.find("all")->find("tests")->array().at(0);
  EXPECT_NEAR(test.find("p")->number(), fixture.find("p_of_correlations")->number(), 1e-12);
  EXPECT_FALSE(holds(notes(json), "Williams"));
}

// numpy.percentile of the resamples that are written: they are those behind the interval.
TEST_F(EvaluateAgreement, WritesTheResamplesBehindEachInterval) {
  const Json json = figures("rows.jsonl", {"--resampled", "--resamples", "81"});
  for (const char* metric : {"good", "fair", "poor"}) {
    std::vector<double> values = resamples(json, metric);
    ASSERT_EQ(values.size(), 81u) << metric;
    std::sort(values.begin(), values.end());
    const Json& pearson = *json.find("all")->find("metrics")->find(metric)->find("pearson");
    const Json::Array& interval = pearson.find("ci95")->array();
    EXPECT_NEAR(interval[0].number(), values[2], 2e-6) << metric;  // 80 * 0.025; six digits
    EXPECT_NEAR(interval[1].number(), values[78], 2e-6) << metric;
  }
  const Json without = figures("rows.jsonl");
  const Json& pearson = *without.find("all")->find("metrics")->find("good")->find("pearson");
  EXPECT_EQ(pearson.find("resampled"), nullptr);
}

TEST_F(EvaluateAgreement, EveryFormatHoldsTheFigures) {
  const std::vector<std::string> arguments = {"--system", "system", "--group", "system"};
  for (const char* format : {"text", "markdown", "latex", "csv"}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--format", format});
    const Outcome outcome = evaluate("rows.jsonl", all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_contains(outcome.out, std::string(format) == "csv" ? "0.847952" : "0.848");
    EXPECT_FALSE(holds(outcome.out, "nan")) << format;
    EXPECT_EQ(outcome.out, evaluate("rows.jsonl", all).out) << format;
  }
  std::vector<std::string> csv = arguments;
  csv.insert(csv.end(), {"--format", "csv"});
  const Outcome outcome = evaluate("rows.jsonl", csv);
  expect_contains(outcome.out, "\ngood,difference,,fair,");
  expect_contains(outcome.out, "\nfair,system_pairwise_accuracy,,,0.500000,");
  expect_contains(outcome.err, "good has the highest");
}

TEST_F(EvaluateAgreement, PermutationTestIsStated) {
  const Outcome outcome = evaluate("rows.jsonl", {"--test", "permutation", "--resamples", "200"});
  expect_contains(
      outcome.out,
      "paired permutation test, 200 drawn permutations, or all of at most 20 questions");
  expect_contains(outcome.err, "|test:permutation|resamples:200|exchanges:200|");
  const Json json = figures("rows.jsonl", {"--test", "permutation", "--resamples", "200"});
  EXPECT_EQ(json.find("exchanges")->number(), 200);
  EXPECT_EQ(figures("rows.jsonl").find("exchanges"), nullptr);  // Williams' test makes none
  const Outcome csv =
      evaluate("rows.jsonl", {"--test", "permutation", "--resamples", "200", "--format", "csv"});
  expect_contains(csv.out, ",p,p_holm,n,p_is_least,p_holm_is_least\n");
  EXPECT_TRUE(holds(csv.out, ",true\n") || holds(csv.out, ",false\n"));
}

TEST_F(EvaluateAgreement, UndefinedFiguresAreSaidToBe) {
  folder_.write("constant.csv",
                "id,score,g,f1,zero\n1,1,a,0.1,0\n2,2,a,0.2,0\n3,3,a,0.2,0\n"
                "4,1,b,0.3,0\n5,1,b,0.4,0\n6,2,c,0.5,0\n");
  const Json json = figures("constant.csv", {"--group", "g", "--system", "g"});
  EXPECT_TRUE(
      json.find("all")->find("metrics")->find("zero")->find("pearson")->find("value")->is_null());
  expect_contains(notes(json),
                  "all rows: all scores are the same, correlations are undefined for "
                  "zero");
  expect_contains(notes(json), "b: all human labels are the same");
  expect_contains(notes(json), "c: one row, correlations are undefined");
  expect_contains(notes(json), "a: too few rows (3) to test metrics");
  EXPECT_FALSE(holds(notes(json), "highest"));  // than what?
  const Outcome text = evaluate("constant.csv", {"--group", "g"});
  expect_contains(text.out, "–");
  EXPECT_FALSE(holds(text.out, "nan"));
}

TEST_F(EvaluateAgreement, MeansOfSentenceBleuAreNotTheCorpusScore) {
  folder_.write("bleu.csv", "score,s,bleu\n1,x,10\n2,x,20\n3,y,20\n4,y,50\n");
  expect_contains(notes(figures("bleu.csv", {"--system", "s"})),
                  "bleu: means of the rows' scores, not the corpus score");
  EXPECT_FALSE(holds(notes(figures("bleu.csv")), "corpus"));
}

TEST_F(EvaluateAgreement, OneSystemHasNoFiguresOfSystems) {
  folder_.write("one.csv", "score,s,f1\n1,x,0.1\n2,x,0.2\n3,x,0.2\n4,x,0.5\n");
  const Json json = figures("one.csv", {"--system", "s"});
  expect_contains(notes(json), "one system only (x)");
  EXPECT_EQ(json.find("systems")->find("metrics"), nullptr);
}

TEST_F(EvaluateAgreement, BinaryLabelsAndMissingOnes) {
  folder_.write("judged.jsonl", R"({"judge": true, "scores": {"f1": 0.9}}
{"judge": false, "scores": {"f1": 0.1}}
{"judge": null, "scores": {}}
{"judge": true, "scores": {"f1": 0.6}}
)");
  const Json json = figures("judged.jsonl", {"--human", "judge", "--missing", "drop"});
  EXPECT_EQ(json.find("all")->find("n")->number(), 3);
  expect_contains(notes(json), "1 row without a human label left out");
  expect_message(evaluate("judged.jsonl", {"--human", "judge"}), 2,
                 {"the row has no label", "\"judge\"", "judged.jsonl:3", "--missing drop"});
}

TEST_F(EvaluateAgreement, BadInputIsNamed) {
  const auto expect = [&](std::vector<std::string> arguments, const std::string& part) {
    expect_message(evaluate("rows.jsonl", std::move(arguments)), 2, {part});
  };
  expect({"--human", "judge"}, "no row has the field \"judge\"");
  expect({"--metric", "good,goood"}, "no row has a score \"goood\"");
  expect({"--metric", "good,good"}, "good is named twice");
  expect({"--test", "wiliams"}, "did you mean williams?");
  expect({"--resamples", "0"}, "--resamples is 0");
  expect({"--report", folder_.file("rows.jsonl")}, "this would replace");
}

TEST_F(EvaluateAgreement, WritesTheReport) {
  const std::string report = folder_.file("report.html");
  EXPECT_EQ(evaluate("rows.jsonl", {"--report", report, "--system", "system"}).code, 0);
  const std::string html = read_file(report);
  expect_contains(html, "Agreement over the means of 4 systems");
  expect_contains(html, "rubric evaluate agreement --input ");
  expect_contains(html, "agreement|input:");
  expect_contains(html, "<details>\n<summary>p of a difference between two metrics");
  expect_contains(html, "<td class=\"right interval\" title=\"");
  expect_contains(html, "<svg class=\"bar\"");
  expect_contains(html, " against human labels: circles are rows");
  expect_contains(html, "<g class=\"point\" data-rows=\"");
  expect_contains(html, "id=\"rows\">{\"header\":[\"id\",");
}

TEST_F(EvaluateAgreement, TextOfRowsStaysTextInTheReport) {
  std::string lines;
  for (int i = 0; i < 12; ++i) {
    Json row;
    row["id"] = "</script><b>" + std::to_string(i);
    row["question"] = "<img src=x onerror=alert(1)>\u2028";
    row["score"] = i % 3;
    row["scores"]["</svg><script>x"] = i % 5;
    lines += row.dump() + "\n";
  }
  const std::string report = folder_.file("report.html");
  folder_.write("hostile.jsonl", lines);
  EXPECT_EQ(evaluate("hostile.jsonl", {"--human", "score", "--report", report}).code, 0);
  const std::string html = read_file(report);
  for (const char* part : {"<img", "<b>", "</svg><script", "\u2028"}) {
    EXPECT_FALSE(holds(html, part)) << part;
  }
  expect_contains(html, "\\u003c/script\\u003e\\u003cb\\u003e0");
  expect_contains(html, "\\u003cimg src=x onerror=alert(1)\\u003e\\u2028");
}

}  // namespace
}  // namespace rubric::cli
