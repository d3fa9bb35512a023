// `evaluate agreement` on rows whose figures scipy gave, and on bad input.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files.h"
#include "core/json.h"

namespace rubric {
namespace {

class EvaluateAgreement : public testing::Test {
 protected:
  EvaluateAgreement()
      : fixture_(Json::parse_file(std::string(RUBRIC_FIXTURES) + "/stats/agreement.json")) {
    std::string lines;
    for (const Json& row : fixture_.find("rows")->array()) lines += row.dump() + "\n";
    folder_.write("rows.jsonl", lines);
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
  expect_contains(notes(json), "good agrees best");
}

TEST_F(EvaluateAgreement, GroupsHaveFiguresOfTheirOwn) {
  const Json json = figures("rows.jsonl", {"--group", "system", "--metrics", "poor,good"});
  const Json& groups = *json.find("groups");
  EXPECT_EQ(groups.object().size(), 4u);
  EXPECT_EQ(groups.find("b")->find("n")->number(), 9);
  EXPECT_EQ(groups.find("b")->find("tests")->array().size(), 1u);
  const Outcome text = evaluate("rows.jsonl", {"--group", "system"});
  expect_contains(text.out, "Pearson's r by group");
  expect_contains(text.out, "p of a difference between two metrics' r, b (Williams' test");
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
  expect_contains(outcome.err, "good agrees best");
}

TEST_F(EvaluateAgreement, PermutationTestIsStated) {
  const Outcome outcome = evaluate("rows.jsonl", {"--test", "permutation", "--resamples", "200"});
  expect_contains(outcome.out, "paired permutation test");
  expect_contains(outcome.err, "|test:permutation|");
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
  EXPECT_FALSE(holds(notes(json), "agrees best"));  // than what?
  const Outcome text = evaluate("constant.csv", {"--group", "g"});
  expect_contains(text.out, "–");
  EXPECT_FALSE(holds(text.out, "nan"));
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
  const Json json = figures("judged.jsonl", {"--human", "judge"});
  EXPECT_EQ(json.find("all")->find("n")->number(), 3);
  expect_contains(notes(json), "1 rows have no human label");
}

TEST_F(EvaluateAgreement, BadInputIsNamed) {
  const auto expect = [&](std::vector<std::string> arguments, const std::string& part) {
    expect_message(evaluate("rows.jsonl", std::move(arguments)), 2, {part});
  };
  expect({"--human", "judge"}, "no row has the field \"judge\"");
  expect({"--metrics", "good,goood"}, "no row has a score \"goood\"");
  expect({"--metrics", "good,good"}, "good is named twice");
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
}

// Without gnuplot there are tables, and a line that says so.
TEST_F(EvaluateAgreement, ReportsGoWithoutPictures) {
  const std::string report = folder_.file("report.html");
  const Outcome outcome =
      run({"evaluate", "agreement", "--input", folder_.file("rows.jsonl"), "--report", report},
          {{"PATH", "/nowhere"}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.err, "gnuplot is not installed");
  const std::string html = read_file(report);
  expect_contains(html, "Pictures are missing");
  EXPECT_FALSE(holds(html, "<svg"));
}

}  // namespace
}  // namespace rubric
