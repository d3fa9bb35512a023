// `evaluate rev` as a user starts it.
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::rev_test {

// Five rows whose values scores_test.cpp works out: REV 0.25, LAS 0.5, RQ 0.
constexpr const char* kRows =
    R"({"id": "1", "question": "of 1?", "choices": ["a", "b", "c"], "label": "a", "gold": "a", "rationale": "r1", "sim_x": "b", "sim_r": "a", "sim_xr": "a", "scores": {"rev": 0.5}}
{"id": "2", "question": "of 2?", "choices": ["a", "b", "c"], "label": "b", "gold": "b", "rationale": "r2", "sim_x": "b", "sim_r": "b", "sim_xr": "b", "scores": {"rev": 0.25}}
{"id": "3", "question": "of 3?", "choices": ["a", "b", "c"], "label": "c", "gold": "c", "rationale": "r3", "sim_x": "c", "sim_r": "c", "sim_xr": "a", "scores": {"rev": -0.5}}
{"id": "4", "question": "of 4?", "choices": ["a", "b", "c"], "label": "a", "gold": "a", "rationale": "r4", "sim_x": "c", "sim_r": "b", "sim_xr": "a", "scores": {"rev": 1}}
{"id": "5", "question": "of 5?", "choices": ["a", "b", "c"], "label": "b", "gold": "c", "rationale": "r5", "sim_x": "c", "sim_r": "a", "sim_xr": "b", "scores": {"rev": 0}}
)";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size()) {
    text.replace(at, old.size(), with);
  }
  return text;
}

struct EvaluateRev : testing::Test {
  EvaluateRev() {
    folder_.write("gold.jsonl", kRows);
    folder_.write("other.jsonl", replaced(kRows, "\"scores\"", "\"unscored\""));
    folder_.write("human.csv",
                  "id,kind,justifies,amount\n1,gold,yes,enough\n2,gold,no,\n1,other,yes,little\n"
                  "2,other,yes,none\n1,unknown,no,\n");
  }
  Outcome evaluate(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"evaluate", "rev", "--pairs", pairs("gold"), pairs("other"),
                               "--resamples", "200"});
    return run(more);
  }
  std::string pairs(const std::string& kind) const {
    return kind + "=" + folder_.file(kind + ".jsonl");
  }
  Json results(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    return printed_json(evaluate(more));
  }

  TemporaryFolder folder_;
};

TEST_F(EvaluateRev, GivesTheValuesByKind) {
  const Json json = results();
  const auto mean = [&](const std::string& kind, const std::string& metric) -> const Json& {
    return measured(json, "mean", {.metric = metric, .system = kind});
  };
  EXPECT_DOUBLE_EQ(mean("gold", "rev").find("value")->number(), 0.25);
  EXPECT_DOUBLE_EQ(mean("gold", "las").find("value")->number(), 0.5);
  EXPECT_DOUBLE_EQ(mean("gold", "rq").find("value")->number(), 0);
  EXPECT_LT(mean("gold", "rq").find("low")->number(), 0);
  EXPECT_EQ(mean("gold", "rev").find("n")->number(), 5);
  EXPECT_EQ(value_of(json, "seeds", {.system = "gold"}), 1);
  EXPECT_EQ(value_of(json, "leaking", {.system = "gold"}), 3);
  EXPECT_FALSE(holds(json.dump(), "resampled"));
  EXPECT_TRUE(mean("other", "rev").find("value")->is_null());
  EXPECT_EQ(mean("other", "rev").find("low"), nullptr);
  EXPECT_TRUE(measured(json, "positive", {.system = "other"}).find("value")->is_null());
  EXPECT_DOUBLE_EQ(mean("other", "las").find("value")->number(), 0.5);
  expect_contains(json.find("signature")->string(), "|resamples:200|seed:0|");
}

TEST_F(EvaluateRev, TablesSayWhatIsNotScored) {
  const std::string text = evaluate().out;
  expect_says(text, {"REV, LAS and RQ of 5 rows", "0.2500 [", "REV of other: not scored"});
  const std::string csv = evaluate({"--format", "csv"}).out;
  expect_contains(csv, "\nrev,gold,,,,,,,mean,0.25,");
  expect_contains(csv, "\nrev,other,,,,,,,mean,,,,,,,,,5,not scored\n");
}

// Without row 3 REV is 1.75 / 4, and the leaking rows' LAS (1 + 0) / 2.
TEST_F(EvaluateRev, CommonRowsAreComparedAndTheRestCounted) {
  const std::string unscored = replaced(kRows, R"("scores": {"rev": -0.5})", R"("scores": {})");
  const std::string third = "{\"id\": \"3\"";
  const size_t begin = std::string(kRows).find(third);
  const size_t size = std::string(kRows).find("{\"id\": \"4\"") - begin;
  for (const std::string& other : {std::string(kRows).erase(begin, size), unscored}) {
    folder_.write("other.jsonl", other);
    EXPECT_EQ(evaluate().code, 2);
    const Json json = results({"--common-rows"});
    const Json& mean = measured(json, "mean", {.metric = "rev", .system = "gold"});
    EXPECT_DOUBLE_EQ(mean.find("value")->number(), 1.75 / 4);
    EXPECT_EQ(mean.find("n")->number(), 4);
    EXPECT_DOUBLE_EQ(value_of(json, "las_leaking", {.system = "gold"}), 0.5);
    EXPECT_EQ(value_of(json, "left_out", {.system = "gold", .seed = "1"}), 1);
    expect_contains(json.find("signature")->string(), "|common:4/5|");
    expect_contains(json.find("notes")->dump(), "Only the 4 of 5 rows");
  }
  const std::string table = evaluate({"--common-rows"}).out;
  expect_says(table, {"REV, LAS and RQ of 4 rows", "left out: 1 of gold, 1 of other"});
  folder_.write("human.csv", "id,kind,justifies,amount\n1,gold,yes,enough\n3,gold,no,\n");
  const Json judged = results({"--common-rows", "--human-file", folder_.file("human.csv")});
  expect_contains(judged.find("notes")->dump(),
                  "Judgements of rows that are left out, which do not count: 1");
}

TEST_F(EvaluateRev, NamesWhatMadeTheBaselines) {
  const auto made_by = [](const std::string& maker) {
    return replaced(kRows, "\"rationale\"",
                    R"("baseline": "b", "baseline_by": ")" + maker + R"(", "rationale")");
  };
  folder_.write("gold.jsonl", made_by("rules"));
  folder_.write("other.jsonl", made_by("statements"));
  const Json json = results();
  expect_contains(json.find("signature")->string(), "|baselines:rules=5,statements=5|resamples");
  expect_contains(json.find("notes")->dump(), "gold by rules; other by statements");
  EXPECT_EQ(value_of(json, "baselines", {.system = "gold", .source = "rules"}), 5);
}

TEST_F(EvaluateRev, ShowsRowsOneByOne) {
  const std::string text = evaluate({"--pointwise", "1", "--show", "5", "--show", "1"}).out;
  expect_contains(text, "of 1?");
  EXPECT_FALSE(holds(text, "of 2?"));
  const Json shown = results({"--show", "5"});
  EXPECT_EQ(shown.find("records")->find("rationales")->dump(),
            R"([{"system": "gold", "seed": "1", "id": "5", "question": "of 5?", "label": "b", )"
            R"("gold": "c", "rationale": "r5", "rev": 0, "las": 1, "rq": -1}, )"
            R"({"system": "other", "seed": "1", "id": "5", "question": "of 5?", "label": "b", )"
            R"("gold": "c", "rationale": "r5", "las": 1, "rq": -1}])");
  const Json json = results({"--pointwise", "9"});
  const Json::Array& rows = json.find("records")->find("rationales")->array();
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[2].find("question")->string(), "of 3?");
  EXPECT_EQ(rows[2].find("rev")->number(), -0.5);
  EXPECT_EQ(rows[2].find("las")->number(), -1);
  EXPECT_EQ(rows[7].find("rev"), nullptr);
  expect_message(evaluate({"--show", "6"}), 2, {"no row has the id \"6\""});
}

// gold: 3 and -1; other: 1 and 0. Ranks: humans gold (1) before other (0.5), LAS equal.
TEST_F(EvaluateRev, ComparesWithHumans) {
  const Json json = results({"--human-file", folder_.file("human.csv")});
  const auto rank = [&](const std::string& metric, const std::string& kind) -> const Json& {
    return *measured(json, "rank", {.metric = metric, .system = kind}).find("value");
  };
  EXPECT_DOUBLE_EQ(value_of(json, "mean", {.metric = "human", .system = "gold"}), 1);
  EXPECT_DOUBLE_EQ(value_of(json, "justified", {.metric = "human", .system = "gold"}), 0.5);
  EXPECT_DOUBLE_EQ(value_of(json, "mean", {.metric = "human", .system = "other"}), 0.5);
  EXPECT_EQ(rank("human", "other").number(), 2);
  EXPECT_EQ(rank("las", "gold").number(), 1.5);
  EXPECT_TRUE(rank("rev", "other").is_null());
  EXPECT_EQ(value_of(json, "system_pairwise_accuracy", {.metric = "las"}), 0);
  // Human 3, -1, 1, 0 and LAS 1, 0, 1, 0: four pairs that LAS tells apart, all in the humans'
  // order; tau-b is 4 / sqrt(6 * 4).
  EXPECT_NEAR(value_of(json, "kendall", {.metric = "las"}), 4 / std::sqrt(24.0), 1e-12);
  expect_contains(json.find("notes")->dump(),
                  "kinds that are not evaluated, which do not count: 1");
  expect_contains(evaluate({"--human-file", folder_.file("human.csv")}).out,
                  "Agreement with human scores, over kinds and over judged rationales");
}

TEST_F(EvaluateRev, WritesSummaryAndReport) {
  const std::string summary = folder_.file("summary.json"), report = folder_.file("report.html");
  done(evaluate({"--summary", summary, "--report", report, "--resampled"}));
  const Json json = Json::parse_file(summary);
  for (const Json& one : json.find("measurements")->array()) {
    const Json* const resampled = one.find("resampled");
    ASSERT_EQ(resampled != nullptr, one.find("low") != nullptr) << one.dump();
    if (resampled != nullptr) {
      EXPECT_EQ(resampled->array().size(), 200u);
    }
  }
  EXPECT_EQ(results({"--resampled"}).dump(), json.dump());
  expect_contains(read_file(report), "<h1>Rationales by REV, LAS and RQ</h1>");
}

TEST_F(EvaluateRev, RefusesPairsThatAreNone) {
  const std::string gold = folder_.file("gold.jsonl");
  const auto with = [](const std::string& pairs) {
    return run({"evaluate", "rev", "--pairs", pairs});
  };
  for (const std::string& pairs : {gold, "=" + gold, std::string("gold=")}) {
    expect_message(with(pairs), 2, {"expected KIND=FILE"});
  }
  expect_message(run({"evaluate", "rev", "--pairs", "a=" + gold, "--pairs", "b=" + gold}), 2,
                 {"a file is named twice", "gold.jsonl"});
  expect_message(evaluate({"--resampled"}), 2, {"--resampled without JSON"});
  expect_message(evaluate({"--report", gold}), 2, {"this would replace"});
}

TEST_F(EvaluateRev, NamesBadRowsByFileLineAndId) {
  folder_.write("other.jsonl", replaced(kRows, R"("sim_xr": "a", "scores": {"rev": -0.5})",
                                        R"("sim_xr": "d", "scores": {"rev": -0.5})"));
  expect_message(evaluate(), 2, {"sim_xr \"d\" is not among the choices", "other.jsonl:3: 3"});
  folder_.write("other.jsonl", replaced(kRows, R"("id": "4")", R"("id": "9")"));
  expect_message(evaluate(), 2, {"different ids", "alone has 1: \"4\"", "alone has 1: \"9\""});
}

}  // namespace rubric::cli::rev_test
