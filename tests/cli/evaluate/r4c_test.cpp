// `evaluate r4c` as a user starts it.
#include <array>
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::evaluate_r4c_test {

constexpr const char* kGold =
    R"({"q1": [[["A", 0, ["ann", "is", "tall"]], ["B", 1, ["bob", "was", "old"]]],
               [["A", 0, ["ann", "is", "small"]]],
               [["A", 0, ["ann", "has", "tall"]]]],
        "q2": [[["C", 0, ["x", "y", "z"]]], [["C", 0, ["x", "y", "w"]]], [["C", 0, ["x", "v", "w"]]]]})";
constexpr const char* kQuestions =
    R"([{"_id": "q1", "question": "?", "answer": "yes", "supporting_facts": [["A", 0], ["B", 1]],
         "context": [["A", ["s0"]], ["B", ["s0", "s1"]]]},
        {"_id": "q2", "question": "?", "answer": "the band", "supporting_facts": [["C", 0]],
         "context": [["C", ["s0"]]]}])";

struct EvaluateR4c : testing::Test {
  EvaluateR4c() {
    folder_.write("gold.json", kGold);
    folder_.write("hotpotqa.json", kQuestions);
  }
  Outcome evaluate(const std::string& predictions, std::vector<std::string> more = {}) const {
    folder_.write("predictions.json", predictions);
    more.insert(more.begin(), {"evaluate", "r4c", "--gold", folder_.file("gold.json"),
                               "--predictions", folder_.file("predictions.json")});
    return run(more);
  }
  Json figures(const std::string& predictions, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    return printed_json(evaluate(predictions, more));
  }

  TemporaryFolder folder_;
};

const std::string kBoth =
    R"({"re": {"q1": [["A", 0, ["ANN", "is", "tall"]]], "q2": [], "q9": []}})";

TEST_F(EvaluateR4c, MeansOverQuestions) {
  const Json json = figures(kBoth);
  // q1: the first and the third reference fit the entities fully, the first comes first; q2: 0.
  EXPECT_DOUBLE_EQ(value_of(json, "precision", {.metric = "e", .system = "predictions"}), 0.5);
  EXPECT_DOUBLE_EQ(value_of(json, "recall", {.metric = "e", .system = "predictions"}), 0.25);
  EXPECT_DOUBLE_EQ(value_of(json, "f1", {.metric = "e", .system = "predictions"}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(value_of(json, "recall", {.metric = "r", .system = "predictions"}), 0.25);
  EXPECT_DOUBLE_EQ(value_of(json, "precision", {.metric = "er", .system = "predictions"}), 0.5);
  EXPECT_EQ(measured(json, "f1", {.metric = "e", .system = "predictions"}).find("n")->number(), 2);
  EXPECT_EQ(value_of(json, "extra", {.system = "predictions"}), 1);
}

TEST_F(EvaluateR4c, AveragesOverAllChoicesOfReferences) {
  const Json json = figures(R"({"re": {"q1": [["A", 0, ["ann", "is", "tall"]]], "q2": []}})");
  const auto recall = [&](const std::string& references) {
    return value_of(json, "recall", {.metric = "r", .system = "predictions", .subset = references});
  };
  // Relations of q1: sums 1, 1, 1/3 ("is" in "has" shares one letter of three), recalls 1/2, 1,
  // 1/3. One reference: their mean. Two: {1,2} 1/2, {1,3} 1/2, {2,3} 1. Halved, as q2 scores 0.
  EXPECT_NEAR(recall("1"), (0.5 + 1 + 1.0 / 3) / 3 / 2, 1e-12);
  EXPECT_NEAR(recall("2"), (0.5 + 0.5 + 1) / 3 / 2, 1e-12);
  EXPECT_NEAR(recall("3"), 0.25, 1e-12);
}

TEST_F(EvaluateR4c, DrawsReferencesBySeed) {
  const std::string predictions = R"({"re": {"q1": [["A", 0, ["ann", "is", "tall"]]], "q2": []}})";
  std::set<double> seen;
  for (const char* const seed : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    const Json json = figures(predictions, {"--max-references", "1", "--seed", seed});
    EXPECT_EQ(json.dump(), figures(predictions, {"--max-references", "1", "--seed", seed}).dump());
    seen.insert(value_of(json, "recall", {.metric = "r", .system = "predictions"}));
  }
  EXPECT_GT(seen.size(), 1u);
  expect_message(evaluate(predictions, {"--max-references", "4"}), 2,
                 {"\"q1\"", "3 references, not 4"});
}

TEST_F(EvaluateR4c, MissingQuestionsAreAnErrorUnlessIgnored) {
  const std::string one = R"({"re": {"q1": [["A", 0, ["ann", "is", "tall"]]]}})";
  expect_message(
      evaluate(one), 2,
      {"questions without a prediction: 1", "\"q2\"", "predictions.json", "--ignore-missing"});
  const Json json = figures(one, {"--ignore-missing"});
  EXPECT_DOUBLE_EQ(value_of(json, "precision", {.metric = "e", .system = "predictions"}), 1);
  EXPECT_EQ(value_of(json, "missing", {.system = "predictions"}), 1);
  expect_contains(json.find("notes")->dump(), "left out");
  expect_message(evaluate(R"({"re": {"q9": []}})", {"--ignore-missing"}), 2,
                 {"no prediction belongs to a question"});
}

TEST_F(EvaluateR4c, JudgesAnswersAndFactsBesideAHotpotQaFile) {
  const Json json = figures(
      R"({"re": {"q1": [], "q2": [["C", 0, ["x", "y", "z"]]]}, "answer": {"q1": "yes", "q2": "band"},
          "sp": {"q1": [["A", 0]], "q2": [["C", 0]]}})",
      {"--hotpotqa", folder_.file("hotpotqa.json")});
  EXPECT_DOUBLE_EQ(value_of(json, "exact_match", {.metric = "answer", .system = "predictions"}), 1);
  EXPECT_DOUBLE_EQ(
      value_of(json, "exact_match", {.metric = "supporting facts", .system = "predictions"}), 0.5);
  EXPECT_DOUBLE_EQ(
      value_of(json, "recall", {.metric = "supporting facts", .system = "predictions"}), 0.75);
  EXPECT_DOUBLE_EQ(value_of(json, "f1", {.metric = "joint", .system = "predictions"}),
                   (2.0 / 3 + 1) / 2);
}

// Among HotpotQA's facts are some of sentences that do not exist: to predict them is right.
TEST_F(EvaluateR4c, GoldFactsAreNotLookedFor) {
  folder_.write("odd.json", R"([{"_id": "q1", "question": "?", "answer": "a",
      "supporting_facts": [["A", 7]], "context": [["A", ["s0"]]]}])");
  folder_.write("gold.json", R"({"q1": [[["A", 0, ["a", "b", "c"]]]]})");
  const std::string predictions = R"({"re": {"q1": []}, "sp": {"q1": [["A", 7]]}})";
  const Json json = figures(predictions, {"--hotpotqa", folder_.file("odd.json"), "--per-question",
                                          folder_.file("each.jsonl")});
  EXPECT_EQ(value_of(json, "exact_match", {.metric = "supporting facts", .system = "predictions"}),
            1);
  const Json each = Json::parse_file(folder_.file("each.jsonl"));
  EXPECT_EQ(each.find("hotpotqa")->find("sp_f1")->number(), 1);
  expect_contains(evaluate(predictions, {"--hotpotqa", folder_.file("odd.json")}).out,
                  "supporting facts  100.0  100.0  100.0  100.0\n");
}

TEST_F(EvaluateR4c, OptionsThatWouldDoNothingAreRefused) {
  expect_message(evaluate(kBoth, {"--seed", "4"}), 2,
                 {"--seed is only valid with --max-references"});
  expect_message(evaluate(kBoth, {"--explain", ""}), 2, {"--explain is empty"});
}

TEST_F(EvaluateR4c, NamesSentencesThatDoNotExist) {
  const std::string file = folder_.file("hotpotqa.json");
  expect_message(
      evaluate(R"({"re": {"q1": [["Z", 0, ["a", "b", "c"]]], "q2": []}})", {"--hotpotqa", file}), 2,
      {"no article \"Z\"", "predictions.json: \"q1\", step 1"});
  expect_message(
      evaluate(R"({"re": {"q1": [["A", 1, ["a", "b", "c"]]], "q2": []}})", {"--hotpotqa", file}), 2,
      {"has no sentence 1", "\"q1\", step 1"});
  expect_message(evaluate(R"({"re": {"q1": [], "q2": []}, "sp": {"q2": [["C", 0], ["C", 9]]}})",
                          {"--hotpotqa", file}),
                 2, {"has no sentence 9", "\"q2\", supporting fact 2"});
}

TEST_F(EvaluateR4c, ExplainsAnAlignment) {
  const Outcome outcome = done(evaluate(kBoth, {"--explain", "q1"}));
  expect_says(outcome.out, {"[ANN] is [tall]", "1.000", "[bob] was [old]"});
  const Json json = figures(kBoth, {"--explain", "q1"});
  EXPECT_EQ(value_of(json, "recall", {.metric = "er", .system = "predictions", .group = "q1"}),
            0.5);
  EXPECT_EQ(json.find("records")->find("alignment")->array().at(4).dump(),
            R"({"scorer": "er", "reference": 0, "derivation": "[ANN] is [tall]", )"
            R"("similarity": 1, "reference's step": "[ann] is [tall]"})");
  expect_message(evaluate(kBoth, {"--explain", "q1", "--format", "csv"}), 2,
                 {"--explain without a place", "--report"});
  expect_message(evaluate(kBoth, {"--explain", "q7", "--per-question", folder_.file("each.jsonl")}),
                 2, {"\"q7\"", "--explain"});
  EXPECT_EQ(folder_.names(),
            (std::vector<std::string>{"gold.json", "hotpotqa.json", "predictions.json"}));
}

TEST_F(EvaluateR4c, ReportsWithThePictureOfAnAlignment) {
  const std::string file = folder_.file("report.html");
  ASSERT_EQ(evaluate(kBoth, {"--explain", "q1", "--report", file}).code, 0);
  const std::string page = read_file(file);
  expect_says(page, {"R4C, 2 questions", "q1, er (Full), reference 1 of 3", "<svg"});
  expect_message(evaluate(kBoth, {"--per-question", file, "--report", file}), 2, {"would replace"});
}

TEST_F(EvaluateR4c, PrintsMeasurementsAsCsv) {
  const Outcome outcome = evaluate(kBoth, {"--format", "csv"});
  expect_contains(outcome.out, "\ne,predictions,,,,,,,precision,0.5,,,,,,,,2,\n");
  expect_contains(outcome.err,
                  "Predictions for no question with references, which do not count: 1");
}

TEST_F(EvaluateR4c, ReferencesOfALeftOutQuestionDoNotCount) {
  folder_.write("gold.json", R"({"q1": [[["A", 0, ["a", "b", "c"]]], [["A", 0, ["a", "b", "d"]]]],
                                 "q2": [[["A", 0, ["a", "b", "c"]]]]})");
  const std::string printed = evaluate(R"({"re": {"q1": []}})", {"--ignore-missing"}).out;
  expect_contains(printed, "\n2  ");
  EXPECT_FALSE(holds(printed, "\n3  "));
}

TEST_F(EvaluateR4c, EachQuestionHasADrawOfItsOwn) {
  Json gold, predictions;
  const Json references = *Json::parse(kGold, "gold").find("q1");
  for (int i = 0; i < 12; ++i) {
    gold["q" + std::to_string(i)] = references;
    predictions["re"]["q" + std::to_string(i)] = Json::Array{};
  }
  folder_.write("gold.json", gold.dump());
  const std::string file = folder_.file("each.jsonl");
  ASSERT_EQ(evaluate(predictions.dump(), {"--max-references", "1", "--per-question", file}).code,
            0);
  std::set<double> drawn;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    const Json question = Json::parse(line, lines.where());
    drawn.insert(question.find("scores")->find("er")->find("reference")->number());
  }
  EXPECT_EQ(drawn.size(), 3u);
}

// The draw depends on a question's id, not on its place.
TEST_F(EvaluateR4c, TheOrderOfQuestionsDoesNotChangeTheDraw) {
  const std::string predictions =
      R"({"re": {"q1": [["A", 0, ["ann", "is", "tall"]]], "q2": [["C", 0, ["x", "y", "w"]]]}})";
  const std::vector<std::string> seeds = {"0", "1", "2", "3"};
  std::vector<double> before, after;
  for (const std::string& seed : seeds) {
    before.push_back(value_of(figures(predictions, {"--max-references", "1", "--seed", seed}), "f1",
                              {.metric = "er", .system = "predictions"}));
  }
  const Json gold = Json::parse(kGold, "gold");
  Json turned;
  turned["q2"] = *gold.find("q2");
  turned["q1"] = *gold.find("q1");
  folder_.write("gold.json", turned.dump());
  for (const std::string& seed : seeds) {
    after.push_back(value_of(figures(predictions, {"--max-references", "1", "--seed", seed}), "f1",
                             {.metric = "er", .system = "predictions"}));
  }
  EXPECT_EQ(before, after);
}

TEST_F(EvaluateR4c, WritesEveryQuestion) {
  EXPECT_EQ(evaluate(kBoth, {"--per-question", folder_.file("each.jsonl")}).code, 0);
  LineReader lines(folder_.file("each.jsonl"));
  std::string line;
  ASSERT_TRUE(lines.next(line));
  const Json first = Json::parse(line, "line 1");
  EXPECT_EQ(first.find("id")->string(), "q1");
  const Json& full = *first.find("scores")->find("er");
  EXPECT_EQ(full.find("aligned")->array().size(), 1u);
  EXPECT_EQ(full.find("reference")->number(), 0);
  EXPECT_EQ(full.find("reference_steps")->dump(),
            R"([["A", 0, ["ann", "is", "tall"]], ["B", 1, ["bob", "was", "old"]]])");
  ASSERT_TRUE(lines.next(line));
  EXPECT_FALSE(lines.next(line));
}

// What the published predictions score: Table 3's CORE in the precision of the official script.
TEST_F(EvaluateR4c, CoreOnDev) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string folder = std::string(data) + "/r4c";
  const Json json =
      printed_json(run({"evaluate", "r4c", "--gold", folder + "/dev_csf.json", "--predictions",
                        folder + "/bm_core.json", "--format", "json"}));
  const std::map<std::string, std::array<double, 3>> expected = {
      {"e", {66.44, 60.20, 62.13}}, {"r", {50.98, 46.14, 47.54}}, {"er", {59.35, 53.67, 55.43}}};
  for (const auto& [scorer, values] : expected) {
    EXPECT_NEAR(100 * value_of(json, "precision", {.metric = scorer, .system = "bm_core"}),
                values[0], 0.01)
        << scorer;
    EXPECT_NEAR(100 * value_of(json, "recall", {.metric = scorer, .system = "bm_core"}), values[1],
                0.01)
        << scorer;
    EXPECT_NEAR(100 * value_of(json, "f1", {.metric = scorer, .system = "bm_core"}), values[2],
                0.01)
        << scorer;
  }
  EXPECT_EQ(measured(json, "f1", {.metric = "er", .system = "bm_core"}).find("n")->number(), 2209);
}

}  // namespace rubric::cli::evaluate_r4c_test
