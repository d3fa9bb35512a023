// `evaluate agreement` on rows whose figures scipy gave, and on bad input.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "judge/ledger/entry.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::agreement_test {

struct EvaluateAgreement : testing::Test {
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
    const Json& pearson = measured(json, "pearson", {.metric = metric});
    std::vector<double> values;
    for (const Json& value : pearson.find("resampled")->array()) values.push_back(value.number());
    return values;
  }

  Outcome evaluate(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"evaluate", "agreement", "--input", folder_.file(file)});
    return run(arguments);
  }

  Json figures(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    return printed_json(evaluate(file, arguments));
  }

  static void expect_same(const Json& expected, const Json& json, const std::string& metric,
                          const std::string& prefix = "") {
    for (const auto& [name, value] : expected.object()) {
      const Json& ours = measured(json, prefix + name, {.metric = metric});
      EXPECT_NEAR(ours.find("value")->number(), value.number(), 1e-9) << name;
      EXPECT_LE(ours.find("low")->number(), value.number() + 1e-9) << name;
      EXPECT_GE(ours.find("high")->number(), value.number() - 1e-9) << name;
    }
  }

  // In the order of the fixture's tests.
  static void expect_same_tests(const Json& expected, const Json& json) {
    for (const Json& test : expected.array()) {
      const auto text = [&](const char* name) { return test.find(name)->string(); };
      const Json& ours = measured(json, "difference",
                                  {.metric = text("first"),
                                   .against = text("second"),
                                   .group = text("group"),
                                   .method = "williams"});
      EXPECT_NEAR(ours.find("p")->number(), test.find("p")->number(), 1e-9);
      EXPECT_NEAR(ours.find("p_holm")->number(), test.find("p_holm")->number(), 1e-9);
    }
    int64_t tests = 0;
    for (const Json& one : json.find("measurements")->array()) {
      tests += one.find("statistic")->string() == "difference" ? 1 : 0;
    }
    EXPECT_EQ(tests, std::ssize(expected.array()));
  }

  std::string notes(const Json& json) const {
    std::string all;
    for (const Json& note : json.find("notes")->array()) all += note.string() + "\n";
    return all;
  }

  Json fixture_;
  TemporaryFolder folder_;
};

// Rows of two to a group, then of one.
TEST_F(EvaluateAgreement, ManyGroupsAreCutAndGroupsOfOneRowEachAreRefused) {
  std::string text = "id,pair,human,f1,em\n";
  for (int i = 0; i < 120; ++i) {
    text += "q" + std::to_string(i) + ",p" + std::to_string(i / 2) + "," + std::to_string(i % 5) +
            "," + std::to_string(i % 7) + "," + std::to_string(i % 2) + "\n";
  }
  folder_.write("many.csv", text);
  std::vector<std::string> options = {"--human", "human", "--resamples", "20", "--group", "pair"};
  const std::string shown = evaluate("many.csv", options).out;
  expect_contains(shown, "the first 50 of 60 groups are shown; --format csv and json have all");
  EXPECT_TRUE(holds(shown, "p49 "));
  EXPECT_FALSE(holds(shown, "p50"));
  const Json json = figures("many.csv", options);
  EXPECT_EQ(measured(json, "questions", {.group = "p59"}).find("n")->number(), 2);
  expect_contains(notes(json), "p9, … 60 in all: too few rows (2) to test metrics");
  options.back() = "id";
  expect_message(evaluate("many.csv", options), 2,
                 {"each of the 120 rows has a group of its own, \"id\"", "many.csv", "--group"});
}

TEST_F(EvaluateAgreement, EqualsScipy) {
  const Json json = figures("rows.jsonl", {"--system", "system"});
  for (const auto& [metric, expected] : fixture_.find("metrics")->object()) {
    expect_same(expected, json, metric);
  }
  for (const auto& [metric, expected] : fixture_.find("systems")->object()) {
    expect_same(expected, json, metric, "system_");
  }
  expect_same_tests(*fixture_.find("tests"), json);
  expect_contains(notes(json), "good has the highest");
}

TEST_F(EvaluateAgreement, GroupsHaveFiguresOfTheirOwn) {
  const Json json = figures("rows.jsonl", {"--group", "system", "--metric", "poor,good"});
  EXPECT_EQ(measured(json, "pearson", {.metric = "good", .group = "b"}).find("n")->number(), 9);
  const Keys pair{.metric = "poor", .against = "good", .group = "b", .method = "williams"};
  EXPECT_TRUE(measured(json, "difference", pair).find("p_holm")->is_number());
  const Outcome text = evaluate("rows.jsonl", {"--group", "system"});
  expect_contains(text.out, "Pearson's r by group");
  expect_contains(text.out, "p of a difference between two metrics' r (Williams' test)");
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
  const auto test = [&](const char* first, const char* second) {
    return measured(json, "difference", {.metric = first, .against = second, .method = "williams"});
  };
  for (const Json& undefined : {test("a", "same"), test("same", "c")}) {
    EXPECT_TRUE(undefined.find("value")->is_null());
    EXPECT_EQ(undefined.find("p_holm"), nullptr);
    EXPECT_EQ(undefined.find("why_missing")->string(), "a correlation is undefined");
  }
  EXPECT_TRUE(test("a", "c").find("p")->is_number());
  expect_says(notes(json), {"p: Holm-corrected over one test", "no row has a \"question\""});
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

TEST_F(EvaluateAgreement, SharesBesidePercentagesOfAnotherSystemAreWarnedOf) {
  folder_.write("rows.csv",
                "id,system,score,f1,em\n1,a,1,93.5,1\n2,a,0,0,0\n3,a,1,50,1\n"
                "1,b,1,0.9,0\n2,b,0,0.1,0\n3,b,0,1,1\n");
  const Outcome outcome = evaluate("rows.csv", {"--system", "system"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.err,
                  "f1: the scores of b lie between 0 and 1, and those of a reach 93.5");
  EXPECT_FALSE(holds(outcome.err, "em: the scores"));
  EXPECT_FALSE(holds(evaluate("rows.csv").err, "lie between"));
}

TEST_F(EvaluateAgreement, TheLabelIsNoMetric) {
  const std::vector<std::string> label = {"--metric", "good,score"};
  expect_message(evaluate("rows.jsonl", label), 2, {"the label score is also named as a metric"});
}

TEST_F(EvaluateAgreement, TheTestIsThatWhichSuitsTheRows) {
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/questions.json");
  std::string lines;
  for (const Json& row : fixture.find("rows")->array()) lines += row.dump() + "\n";
  folder_.write("questions.jsonl", lines);
  // Williams' test claims nothing of rows that share questions.
  const std::string williams = notes(figures("questions.jsonl", {"--test", "williams"}));
  EXPECT_FALSE(holds(williams, "at 0.05"));
  expect_contains(williams, "--test permutation permutes them together");
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
  expect_same_tests(*fixture_.find("grouped_tests"), json);
  expect_contains(notes(json), "p: Holm-corrected over all 15 tests");
  expect_contains(evaluate("rows.jsonl", {"--group", "system"}).out,
                  "p: Holm-corrected over all 15 tests");
}

TEST_F(EvaluateAgreement, RowsOfOneQuestionAreResampledTogether) {
  const Json fixture = write_questions();
  const Json json = figures("questions.jsonl", {"--resampled"});
  EXPECT_EQ(measured(json, "questions").find("n")->number(), 22);
  EXPECT_EQ(value_of(json, "questions"), 8);
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
  const Keys pair{.metric = "first", .against = "second", .method = "permutation"};
  const Json& test = measured(json, "difference", pair);
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
    const Json& pearson = measured(json, "pearson", {.metric = metric});
    EXPECT_NEAR(pearson.find("low")->number(), values[2], 2e-6) << metric;  // 80 * 0.025
    EXPECT_NEAR(pearson.find("high")->number(), values[78], 2e-6) << metric;
  }
  const Json without = figures("rows.jsonl");
  EXPECT_EQ(measured(without, "pearson", {.metric = "good"}).find("resampled"), nullptr);
}

TEST_F(EvaluateAgreement, EveryFormatHoldsTheFigures) {
  const std::vector<std::string> arguments = {"--system", "system", "--group", "system"};
  for (const char* format : {"text", "markdown", "latex", "csv"}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--format", format});
    const Outcome outcome = done(evaluate("rows.jsonl", all));
    expect_contains(outcome.out, std::string(format) == "csv" ? "0.84795" : "0.848");
    EXPECT_FALSE(holds(outcome.out, "nan")) << format;
    EXPECT_EQ(outcome.out, evaluate("rows.jsonl", all).out) << format;
  }
  std::vector<std::string> csv = arguments;
  csv.insert(csv.end(), {"--format", "csv"});
  const Outcome outcome = evaluate("rows.jsonl", csv);
  expect_contains(outcome.out, "\ngood,,fair,,,,williams,,difference,");
  expect_contains(outcome.out, "\nfair,,,,,,,,system_pairwise_accuracy,0.5,");
  expect_contains(outcome.err, "good has the highest");
}

TEST_F(EvaluateAgreement, PermutationTestIsStated) {
  const Outcome outcome = evaluate("rows.jsonl", {"--test", "permutation", "--resamples", "200"});
  expect_contains(
      outcome.out,
      "paired permutation test, 200 drawn permutations, or all of at most 20 questions");
  expect_contains(outcome.err, "|test:permutation|resamples:200|permutations:200|");
  EXPECT_FALSE(holds(evaluate("rows.jsonl", {}).err, "permutations"));  // Williams' test
}

TEST_F(EvaluateAgreement, UndefinedFiguresAreSaidToBe) {
  folder_.write("constant.csv",
                "id,score,g,f1,zero\n1,1,a,0.1,0\n2,2,a,0.2,0\n3,3,a,0.2,0\n"
                "4,1,b,0.3,0\n5,1,b,0.4,0\n6,2,c,0.5,0\n");
  const Json json = figures("constant.csv", {"--group", "g", "--system", "g"});
  const Json& zero = measured(json, "pearson", {.metric = "zero"});
  EXPECT_TRUE(zero.find("value")->is_null());
  EXPECT_EQ(zero.find("why_missing")->string(), "all scores are the same");
  expect_says(notes(json),
              {"all rows, a: all scores are the same, correlations are undefined for zero",
               "b: all human labels are the same", "c: one row, correlations are undefined",
               "a: too few rows (3) to test metrics"});
  EXPECT_FALSE(holds(notes(json), "highest"));  // than what?
  const Outcome text = evaluate("constant.csv", {"--group", "g"});
  expect_contains(text.out, "–");
  EXPECT_FALSE(holds(text.out, "nan"));
}

// The label 1 of the best answer, and 5 of the worst.
TEST_F(EvaluateAgreement, LabelsTheWrongWayRoundAreSaidToBe) {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += "{\"good\": " + std::to_string(i * 7 % 40) + ", \"better\": " + std::to_string(i) +
             ", \"noise\": " + std::to_string(i * 13 % 40) +
             ", \"rank\": " + std::to_string(5 - i / 8) + "}\n";
  }
  folder_.write("reversed.jsonl", lines);
  const auto notes = [&](const std::string& metrics) {
    return evaluate("reversed.jsonl", {"--human", "rank", "--metric", metrics}).out;
  };
  expect_contains(notes("better"), "labels fall as better rises: check that the higher label");
  EXPECT_EQ(notes("better,noise").find("labels fall"), std::string::npos);
  expect_contains(notes("better,noise"), "has the highest Pearson's r");
  folder_.write("both.jsonl", "");
  std::string both;
  for (int i = 0; i < 40; ++i) {
    both += "{\"a\": " + std::to_string(i) + ", \"b\": " + std::to_string(i / 3) +
            ", \"rank\": " + std::to_string(5 - i / 8) + "}\n";
  }
  folder_.write("both.jsonl", both);
  const Outcome outcome = evaluate("both.jsonl", {"--human", "rank", "--metric", "a,b"});
  expect_contains(outcome.out, "labels fall as every metric rises");
  EXPECT_EQ(outcome.out.find("highest Pearson's r"), std::string::npos);
}

TEST_F(EvaluateAgreement, MetricsOfWhichLowerScoresAreBetterAreNamed) {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += "{\"metricx\": " + std::to_string(20 - i / 2) + ", \"f1\": " + std::to_string(i) +
             ", \"noise\": " + std::to_string(i % 20) + ", \"label\": " + std::to_string(i / 8) +
             "}\n";
  }
  folder_.write("lower.jsonl", lines);
  const auto notes = [&](const std::string& metrics) {
    return evaluate("lower.jsonl", {"--human", "label", "--metric", metrics}).out;
  };
  expect_contains(notes("metricx"), "lower scores of metricx are better");
  const std::string both = notes("metricx,noise");
  expect_contains(both, "metricx has the highest Pearson's r");
  EXPECT_EQ(both.find("-0."), std::string::npos) << both;
  EXPECT_EQ(notes("metricx").find("labels fall"), std::string::npos);
  EXPECT_EQ(notes("f1").find("lower scores"), std::string::npos);
}

// Ids may name questions, of which each has several answers; one that occurs twice is a copy.
TEST_F(EvaluateAgreement, AnIdThatOccursTwiceIsNamed) {
  std::string copied = "id,candidate,f1,score\n", answers = copied;
  for (int i = 0; i < 30; ++i) {
    const std::string rest = ",answer " + std::to_string(i) + "," + std::to_string(i * 7 % 10) +
                             "," + std::to_string(i % 5) + "\n";
    copied += std::to_string(i == 5 ? 4 : i) + rest;
    answers += std::to_string(i / 3) + rest;
  }
  folder_.write("copied.csv", copied);
  folder_.write("answers.csv", answers);
  const std::string warning = evaluate("copied.csv").err;
  expect_contains(warning, "warning: 1 row has the id of an earlier row, and another candidate");
  expect_contains(warning, "\"4\" (" + folder_.file("copied.csv") + ":6");
  const std::string note = evaluate("answers.csv").err;
  EXPECT_FALSE(holds(note, "warning"));
  expect_contains(note, "several rows have one id, such as \"0\"");
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
  EXPECT_FALSE(holds(json.dump(), "system_pearson"));
  EXPECT_EQ(value_of(json, "mean_label", {.system = "x"}), 2.5);
}

TEST_F(EvaluateAgreement, BinaryLabelsAndMissingOnes) {
  folder_.write("judged.jsonl", R"({"judge": true, "scores": {"f1": 0.9}}
{"judge": false, "scores": {"f1": 0.1}}
{"judge": null, "scores": {}}
{"judge": true, "scores": {"f1": 0.6}}
)");
  const Json json = figures("judged.jsonl", {"--human", "judge", "--missing", "drop"});
  EXPECT_EQ(measured(json, "questions").find("n")->number(), 3);
  expect_contains(notes(json), "1 row without a human label left out");
  expect_message(evaluate("judged.jsonl", {"--human", "judge"}), 2,
                 {"the row has no label", "\"judge\"", "judged.jsonl:3", "--missing drop"});
}

TEST_F(EvaluateAgreement, OptionsOfALedgerAreRefusedWithoutOne) {
  for (const char* const option : {"--judge", "--prompt-hash", "--parameters", "--parser"}) {
    expect_message(evaluate("rows.jsonl", {option, "strict"}), 2,
                   {option + std::string(" is only valid with --ledger"), "add --ledger"});
  }
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
  expect_says(html, {"Agreement over the means of 4 systems", "rows.jsonl (labels: score)",
                     "rubric evaluate agreement --input ", "agreement|input:",
                     "<details>\n<summary>p of a difference between two metrics",
                     "<td class=\"right interval\" title=\"", "<svg class=\"bar\"",
                     " against human labels: circles are rows", "<g class=\"point\" data-rows=\"",
                     "id=\"rows\">{\"header\":[\"id\","});
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

// The usual layout of a table of one's own: a row for each question and system.
TEST_F(EvaluateAgreement, ATableOfQuestionsAndSystemsNeedsFieldsAlone) {
  std::string named = "id,source,question,candidate,score,f1\n",
              own = "number,model,prompt,reply,rating,f1\n";
  for (int i = 0; i < 20; ++i) {
    for (const char* const model : {"big", "small"}) {
      const std::string question = std::to_string(i),
                        rest = "," + std::string(model) + ",q" + question + ",text," +
                               std::to_string((i * 7 + (model[0] == 'b' ? 3 : 0)) % 5) + ",0." +
                               std::to_string(i * 3 % 7) + "\n";
      named += question + rest;
      own += question + rest;
    }
  }
  folder_.write("named.csv", named);
  folder_.write("own.csv", own);
  const Json expected = figures("named.csv", {"--metric", "f1", "--resamples", "200"});
  EXPECT_EQ(value_of(expected, "questions"), 20);
  const Outcome outcome =
      done(evaluate("own.csv", {"--metric", "f1", "--resamples", "200", "--format", "json",
                                "--field", "id=number", "--field", "source=model", "--field",
                                "question=prompt", "--field", "score=rating"}));
  EXPECT_EQ(Json::parse(outcome.out, "stdout").find("measurements")->dump(),
            expected.find("measurements")->dump());
  expect_contains(outcome.out, "|field:id=number,question=prompt,score=rating,source=model|");
}

// A judge's verdicts as metrics: 40 answers of two systems, on C right about four of five.
struct AgreementWithALedger : EvaluateAgreement {
  AgreementWithALedger() {
    std::string ledger, rows = "id,system,candidate,human,f1,judged\n";
    for (int i = 0; i < 40; ++i) {
      const std::string id = std::to_string(i / 2), system = i % 2 == 0 ? "big" : "small";
      const bool is_correct = i % 3 == 0, agrees = is_correct != (i % 5 == 4);
      const judge::LedgerEntry entry = example_entry(
          system, id, agrees ? kReply : "1. Disagree\n2. Agree\n3. Disagree\n4. Agree",
          {"gpt", "", "{}"});
      ledger += judge::to_json(entry).dump() + "\n";
      rows += id + "," + system + ",It is 308.," + (is_correct ? "yes" : "no") + ",0." +
              std::to_string(i % 7) + (agrees ? ",1\n" : ",0\n");
    }
    folder_.write("ledger.jsonl", ledger);
    folder_.write("rows.csv", rows);
  }
  Outcome with_ledger(std::vector<std::string> options) const {
    options.insert(options.end(), {"--ledger", folder_.file("ledger.jsonl"), "--human", "human",
                                   "--resamples", "100"});
    return evaluate("rows.csv", options);
  }
};

TEST_F(AgreementWithALedger, VerdictsAreMetrics) {
  const Json json = printed_json(with_ledger({"--system", "system", "--format", "json"}));
  for (const char* const statistic : {"pearson", "roc_auc", "accuracy"}) {
    for (const char* const part : {"value", "low", "high"}) {
      EXPECT_EQ(measured(json, statistic, {.metric = "gpt:C"}).find(part)->number(),
                measured(json, statistic, {.metric = "judged"}).find(part)->number());
    }
    for (const std::string metric : {"f1", "gpt:H", "gpt:I", "gpt:E"}) {
      measured(json, statistic, {.metric = metric});
    }
  }
  expect_contains(json.find("signature")->string(), "|ledger:");
  EXPECT_EQ(with_ledger({"--metric", "gpt:C,f1"}).code, 0);  // the field "system" is found
}

TEST_F(AgreementWithALedger, AReplyWithoutVerdictsIsAMissingScore) {
  const std::string ledger = folder_.file("ledger.jsonl");
  judge::LedgerEntry entry = example_entry("big", "0", "I refuse.", {"gpt", "", "{}"});
  entry.attempt = 2;
  folder_.write("ledger.jsonl", read_file(ledger) + judge::to_json(entry).dump() + "\n");
  expect_message(with_ledger({"--system", "system"}), 2, {"gpt:C", "rows.csv:2", "--missing"});
  const Json json =
      printed_json(with_ledger({"--system", "system", "--missing", "drop", "--format", "json"}));
  EXPECT_EQ(measured(json, "questions").find("n")->number(), 39);
  expect_contains(json.find("notes")->dump(), "1 reply holds no verdicts");
}

// No score of the rows is replaced, and errors name the file that is at fault.
TEST_F(AgreementWithALedger, WhatDoesNotFitIsRefused) {
  const std::string ledger = folder_.file("ledger.jsonl");
  for (const char* const scores : {R"({"gpt:C": 0.5})", "0.5"}) {
    folder_.write(
        "rows.jsonl",
        std::string(R"({"id": "0", "system": "big", "human": 1, "scores": )") + scores + "}\n");
    expect_message(evaluate("rows.jsonl", {"--ledger", ledger, "--human", "human"}), 2,
                   {"beside those of the ledger", "rows.jsonl:1"});
  }
  folder_.write("rows.csv", "id,system,human,gpt:H\n0,big,1,0.5\n");
  expect_message(with_ledger({}), 2, {"a score \"gpt:H\"", "rows.csv:2"});
  folder_.write("ledger.jsonl", "");
  expect_message(with_ledger({}), 2, {"the ledger is empty", ledger});
}

TEST_F(AgreementWithALedger, RepliesAreReadAsTheyWereJudgedOrByTheParser) {
  const std::string lower = "1. agree\n2. disagree\n3. disagree\n4. agree";
  const auto write = [&](judge::VerdictParser parser, judge::VerdictParser of_last) {
    std::string ledger;
    for (int i = 0; i < 40; ++i) {
      judge::LedgerEntry entry = example_entry(i % 2 == 0 ? "big" : "small", std::to_string(i / 2),
                                               i < 4 ? lower : kReply, {"gpt", "", "{}"});
      entry.parser = i < 39 ? parser : of_last;
      ledger += judge::to_json(entry).dump() + "\n";
    }
    folder_.write("ledger.jsonl", ledger);
  };
  const auto rows = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--system", "system", "--missing", "drop", "--format", "json"});
    const Json json = Json::parse(with_ledger(options).out, "stdout");
    return measured(json, "questions").find("n")->number();
  };
  for (const auto of_last : {judge::VerdictParser::strict, judge::VerdictParser::published}) {
    write(judge::VerdictParser::strict, of_last);
    EXPECT_EQ(rows({}), 40);
    EXPECT_EQ(rows({"--parser", "published"}), 36);
    write(judge::VerdictParser::published, of_last);
    EXPECT_EQ(rows({}), 36);
    EXPECT_EQ(rows({"--parser", "strict"}), 40);
  }
  expect_contains(with_ledger({"--system", "system", "--missing", "drop"}).out,
                  "4 replies hold no verdicts (--parser strict reads 4 of them)");
  expect_message(with_ledger({"--parser", "strikt"}), 2, {"did you mean strict"});
}

TEST_F(AgreementWithALedger, ALabelledRowNeedsItsReply) {
  const std::string rows = read_file(folder_.file("rows.csv"));
  folder_.write("rows.csv", rows + "99,big,It is 308.,,0.5,0\n");
  EXPECT_EQ(with_ledger({"--system", "system", "--missing", "drop"}).code, 0);  // it has no label
  folder_.write("rows.csv", rows + "99,big,It is 308.,yes,0.5,0\n");
  expect_message(with_ledger({"--system", "system"}), 2,
                 {"1 row with a label has no reply in the ledger", "rows.csv:42"});
  folder_.write("rows.csv", "id,system,candidate,human\n1,big,Another.,yes\n2,big,It is 308.,no\n");
  expect_message(with_ledger({"--system", "system"}), 2,
                 {"a reply about another answer of the id \"1\": \"It is 308.\"", "rows.csv:2"});
  folder_.write("rows.csv", "id,human\n1,yes\n2,no\n");
  expect_message(with_ledger({}), 2, {"the ledger has replies about big, small", "--system FIELD"});
}

// Agreement with labels that are all equal, of two rows, and within questions of one label each
// would be 1 or -1 of any metric.
TEST_F(EvaluateAgreement, WhatNoMetricCanMissIsUndefined) {
  const auto rows = [](int count, int per_question, auto label) {
    std::string text = "id,question,f1,score\n";
    for (int i = 0; i < count; ++i) {
      text += std::to_string(i) + ",q" + std::to_string(i / per_question) + "," +
              std::to_string(i * 7 % 11) + "," + std::to_string(label(i)) + "\n";
    }
    return text;
  };
  const auto one = [](int) { return 1; };
  const auto odd = [](int i) { return i % 2; };
  const std::vector<std::string> correlations = {"pearson", "spearman", "kendall"};
  const std::string equal = "all human labels are the same",
                    tied = "all pairs of rows have the same labels",
                    within = "all pairs of rows within questions have the same labels",
                    two = "two rows, of which a correlation is 1 or -1";
  struct Case {
    std::string name, rows, correlation, pairs;
  };
  for (const Case& of_case :
       {Case{"equal", rows(12, 1, one), equal, tied},
        {"equal in questions", rows(12, 2, one), equal, within},
        {"one question", rows(12, 12, one), equal, tied},
        {"two equal rows", rows(2, 1, one), equal, tied},
        {"two rows", rows(2, 1, odd), two, ""},
        {"a row", rows(1, 1, one), "one row", "no pair of rows"},
        {"questions of one label", rows(12, 2, [](int i) { return i / 2 % 2; }), "", within}}) {
    SCOPED_TRACE(of_case.name);
    folder_.write("rows.csv", of_case.rows);
    const Json json = figures("rows.csv");
    const auto expect_why = [&](const std::string& statistic, const std::string& why) {
      const Json& one_value = measured(json, statistic, {.metric = "f1"});
      EXPECT_EQ(one_value.find("value")->is_null(), !why.empty()) << one_value.dump();
      if (why.empty()) return;
      EXPECT_EQ(one_value.find("why_missing")->string(), why);
      EXPECT_EQ(one_value.find("low"), nullptr);
    };
    for (const std::string& statistic : correlations) expect_why(statistic, of_case.correlation);
    for (const char* const statistic : {"pairwise_accuracy", "pairwise_epsilon"}) {
      expect_why(statistic, of_case.pairs);
    }
    const std::string notes = json.find("notes")->dump();
    const bool are_equal = of_case.correlation == equal;
    const std::string both = equal + ", correlations and pairwise accuracy are undefined";
    if (are_equal) {
      EXPECT_PRED2(holds, notes, both);
    }
    if (!are_equal && !of_case.correlation.empty()) {
      EXPECT_PRED2(holds, notes, of_case.correlation + ", correlations are undefined");
    }
    if (!are_equal && of_case.pairs == within) {
      EXPECT_PRED2(holds, notes, within + ", pairwise accuracy is undefined");
    }
    EXPECT_EQ(holds(notes, "few questions (all rows: 6): "), of_case.pairs == within);
    EXPECT_FALSE(holds(notes, "one score for all rows has 1.000")) << notes;
  }
}

}  // namespace rubric::cli::agreement_test
