#include "eval/mocha_suite.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "messages.h"
#include "stats/correlation.h"

namespace rubric {
namespace {

Answer answer(const std::string& constituent, const std::string& source, const std::string& id,
              double score) {
  Answer result;
  result.constituent = constituent;
  result.source = source;
  result.id = id;
  result.score = score;
  return result;
}

// Two constituents of four instances: human 1 2 4 5, predicted 1 2 4 5 and 5 4 2 1.
struct Example {
  std::vector<Answer> answers;
  MochaPredictions lerc{"lerc", {}, std::nullopt};

  Example() {
    const double human[] = {1, 2, 4, 5};
    for (int i = 0; i < 4; ++i) {
      const std::string id = std::to_string(i);
      answers.push_back(answer("drop", i < 2 ? "bert" : "", id, human[i]));
      answers.push_back(answer("quoref", "gpt2", id, human[i]));
      lerc.answers[{"drop", id}] = human[i];
      lerc.answers[{"quoref", id}] = 6 - human[i];
    }
  }
  MochaResult result() const { return evaluate_mocha(answers, {}, lerc, {.resamples = 200}); }
};

TEST(MochaSuite, AveragesOverConstituents) {
  const MochaResult result = Example().result();
  ASSERT_EQ(result.constituents.size(), 2u);
  EXPECT_EQ(result.constituents[0].name, "drop");
  EXPECT_EQ(result.constituents[0].n, 4);
  EXPECT_NEAR(*result.constituents[0].correlations.pearson, 1, 1e-12);
  EXPECT_NEAR(*result.constituents[1].correlations.kendall, -1, 1e-12);
  EXPECT_NEAR(*result.average.pearson, 0, 1e-12);
  EXPECT_NEAR(*result.average.spearman, 0, 1e-12);
  ASSERT_TRUE(result.interval && result.constituents[0].interval);
  EXPECT_NEAR(result.constituents[0].interval->low, 1, 1e-12);
  EXPECT_NEAR(result.interval->low, 0, 1e-12);  // every resample is +1 and -1
  EXPECT_TRUE(result.notes.empty());
}

TEST(MochaSuite, ListsSources) {
  const MochaResult result = Example().result();
  ASSERT_EQ(result.constituents[0].sources.size(), 1u);  // the others have no source
  EXPECT_EQ(result.constituents[0].sources[0].name, "bert");
  EXPECT_EQ(result.constituents[0].sources[0].n, 2);
  EXPECT_NEAR(*result.constituents[1].sources[0].pearson, -1, 1e-12);
}

TEST(MochaSuite, MissingPredictionsCountAsZero) {
  Example example;
  example.lerc.answers.erase({"drop", "3"});
  const MochaResult result = example.result();
  const std::vector<double> human = {1, 2, 4, 5}, predicted = {1, 2, 4, 0};
  EXPECT_NEAR(*result.constituents[0].correlations.pearson, *pearson(human, predicted), 1e-12);
  EXPECT_EQ(result.constituents[0].missing, 1);
  EXPECT_EQ(result.notes,
            std::vector<std::string>{"1 of 8 predictions missing, counted as 0 (drop 1)"});
}

TEST(MochaSuite, UndefinedCorrelationLeavesNoAverage) {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  const MochaResult result = example.result();
  EXPECT_FALSE(result.constituents[0].correlations.pearson || result.average.pearson);
  EXPECT_FALSE(result.constituents[0].interval || result.interval);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("drop"), std::string::npos);
  const Json json = to_json({&result, 1});
  EXPECT_TRUE(json.find("average")->find("pearson")->is_null());
  EXPECT_EQ(mocha_table({&result, 1}).rows[0][1], "–");
}

std::vector<AnswerPair> four_pairs() {
  std::vector<AnswerPair> pairs;
  for (const char* id : {"win", "tie", "loss", "missing"}) {
    pairs.push_back({answer("drop", "", id, 5), answer("drop", "", id, 1)});
  }
  pairs.push_back({answer("quoref", "", "win", 5), answer("quoref", "", "win", 1)});
  return pairs;
}

PairPredictions predictions_of_pairs() {
  PairPredictions predictions;
  predictions.better = {{{"drop", "win"}, 2},
                        {{"drop", "tie"}, 2},
                        {{"drop", "loss"}, 1},
                        {{"drop", "missing"}, 9},
                        {{"quoref", "win"}, 1}};
  predictions.worse = {
      {{"drop", "win"}, 1}, {{"drop", "tie"}, 2}, {{"drop", "loss"}, 2}, {{"quoref", "win"}, 0}};
  return predictions;
}

TEST(MochaSuite, TieIsHalfAPointAndMissingIsWrong) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  const MochaResult result = evaluate_mocha(example.answers, four_pairs(), example.lerc, {});
  ASSERT_EQ(result.pairs.size(), 2u);
  EXPECT_EQ(result.pairs[0].accuracy, 1.5 / 4);
  EXPECT_EQ(result.pairs[0].missing, 1);
  EXPECT_EQ(result.pairs[1].accuracy, 1);
  EXPECT_EQ(result.pair_average, (1.5 / 4 + 1) / 2);
  EXPECT_EQ(result.notes,
            std::vector<std::string>{"1 of 5 minimal pairs missing, counted as wrong (drop 1)"});
}

TEST(MochaSuite, JsonHasTheDocumentedShape) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  const std::vector<MochaResult> results = {
      evaluate_mocha(example.answers, four_pairs(), example.lerc, {}), Example().result()};
  const Json json = to_json({results.data(), 1});
  const Json& drop = *json.find("constituents")->find("drop");
  for (const char* key : {"pearson", "spearman", "kendall", "n", "missing"}) {
    EXPECT_TRUE(drop.find(key) != nullptr && drop.find(key)->is_number()) << key;
  }
  EXPECT_EQ(drop.find("ci95")->array().size(), 2u);
  EXPECT_EQ(drop.find("sources")->find("bert")->find("n")->number(), 2);
  EXPECT_TRUE(json.find("average")->find("kendall")->is_number());
  const Json& pairs = *json.find("minimal_pairs");
  EXPECT_EQ(pairs.find("constituents")->find("drop")->find("accuracy")->number(), 0.375);
  EXPECT_EQ(pairs.find("constituents")->find("drop")->find("n")->number(), 4);
  EXPECT_EQ(pairs.find("average")->number(), 0.6875);
  std::vector<MochaResult> two = results;
  two[1].metric = "bleu1";
  EXPECT_NE(to_json(two).find("metrics")->find("bleu1")->find("average"), nullptr);
}

TEST(MochaSuite, TableHasAColumnForEachMetric) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  std::vector<MochaResult> results = {
      evaluate_mocha(example.answers, four_pairs(), example.lerc, {}), Example().result()};
  results[1].metric = "bleu1";
  const Table table = mocha_table(results);
  EXPECT_EQ(table.header, (std::vector<std::string>{"constituent", "lerc", "bleu1"}));
  ASSERT_EQ(table.rows.size(), 6u);
  EXPECT_EQ(table.rows[0][1], "1.000 [1.000, 1.000]");
  EXPECT_EQ(table.rows[2][0], "average");
  EXPECT_EQ(table.rows[3],
            (std::vector<std::string>{"minimal pairs: drop (%)", "37.5", "not scored"}));
  EXPECT_EQ(table.rows[5][1], "68.8");
  EXPECT_EQ(table.notes, std::vector<std::string>{
                             "lerc: 1 of 5 minimal pairs missing, counted as wrong (drop 1)"});
}

TEST(MochaSuite, InstanceWithoutHumanScoreIsNamed) {
  Example example;
  example.answers[1].score.reset();
  expect_contains(input_error([&] { example.result(); }), "\"quoref\" / \"0\"");
}

TEST(MochaSuite, EqualsThePublishedExample) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const Json file = Json::parse_file(std::string(data) + "/lerc_examples/examples.json");
  const Json& example = *file.find("evaluation");
  std::vector<Answer> answers;
  MochaPredictions predictions{"lerc", {}, std::nullopt};
  for (const Json& input : example.find("inputs")->array()) {
    answers.push_back(answer(input.find("dataset")->string(), input.find("source")->string(),
                             std::to_string(answers.size()), input.find("score")->number()));
    predictions.answers[{answers.back().constituent, answers.back().id}] =
        input.find("prediction")->number();
  }
  const MochaResult result = evaluate_mocha(answers, {}, predictions, {});
  ASSERT_EQ(result.constituents.size(), example.find("metrics")->object().size());
  for (const ConstituentResult& constituent : result.constituents) {
    const Json& expected = *example.find("metrics")->find(constituent.name);
    EXPECT_NEAR(*constituent.correlations.pearson, expected.find("overall")->number(), 1e-12);
    ASSERT_EQ(constituent.sources.size(), 2u);
    for (const SourceResult& source : constituent.sources) {
      EXPECT_NEAR(*source.pearson, expected.find(source.name)->number(), 1e-12) << source.name;
    }
  }
}

}  // namespace
}  // namespace rubric
