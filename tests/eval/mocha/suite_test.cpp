#include <cstdlib>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"
#include "messages.h"
#include "stats/correlation.h"

namespace rubric::eval::mocha_suite_test {

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
}

TEST(MochaSuite, ListsSources) {
  const MochaResult result = Example().result();
  ASSERT_EQ(result.constituents[0].sources.size(), 1u);  // the others have no source
  EXPECT_EQ(result.constituents[0].sources[0].name, "bert");
  EXPECT_EQ(result.constituents[0].sources[0].n, 2);
  EXPECT_NEAR(*result.constituents[0].sources[0].correlations.spearman, 1, 1e-12);
  const stats::Correlations& quoref = result.constituents[1].sources[0].correlations;
  EXPECT_NEAR(*quoref.pearson, -1, 1e-12);
  EXPECT_NEAR(*quoref.kendall, -1, 1e-12);
}

TEST(MochaSuite, MissingPredictionsCountAsZero) {
  Example example;
  example.lerc.answers.erase({"drop", "3"});
  const MochaResult result = example.result();
  const std::vector<double> human = {1, 2, 4, 5}, predicted = {1, 2, 4, 0};
  EXPECT_NEAR(*result.constituents[0].correlations.pearson, *stats::pearson(human, predicted),
              1e-12);
  EXPECT_EQ(result.constituents[0].missing, 1);
}

TEST(MochaSuite, UndefinedCorrelationLeavesNoAverage) {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  const MochaResult result = example.result();
  EXPECT_FALSE(result.constituents[0].correlations.pearson || result.average.pearson);
  EXPECT_FALSE(result.constituents[0].interval || result.interval);
}

TEST(MochaSuite, TieIsHalfAPointAndMissingIsIncorrect) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  const MochaResult result = evaluate_mocha(example.answers, four_pairs(), example.lerc, {});
  ASSERT_EQ(result.pairs.size(), 2u);
  EXPECT_EQ(result.pairs[0].accuracy, 1.5 / 4);
  EXPECT_EQ(result.pairs[0].missing, 1);
  EXPECT_EQ(result.pairs[1].accuracy, 1);
  EXPECT_EQ(result.pair_average, (1.5 / 4 + 1) / 2);
}

TEST(MochaSuite, AChosenConstituentHasTheValuesItHasAmongAll) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  for (int i = 4; i < 40; ++i) {  // enough for resamples to differ
    const std::string id = std::to_string(i);
    example.answers.push_back(answer("quoref", "gpt2", id, 1 + i % 5));
    example.lerc.answers[{"quoref", id}] = i * 7 % 11;
  }
  const auto evaluate = [&](const std::set<std::string>& constituents) {
    return evaluate_mocha(example.answers, four_pairs(), example.lerc, {}, constituents);
  };
  const MochaResult all = evaluate({}), one = evaluate({"quoref"});
  ASSERT_EQ(one.constituents.size(), 1u);
  EXPECT_EQ(one.constituents[0].correlations.pearson, all.constituents[1].correlations.pearson);
  EXPECT_EQ(one.constituents[0].interval->low, all.constituents[1].interval->low);
  EXPECT_EQ(one.constituents[0].interval->high, all.constituents[1].interval->high);
  EXPECT_EQ(one.average.pearson, one.constituents[0].correlations.pearson);
  ASSERT_EQ(one.pairs.size(), 1u);
  EXPECT_EQ(one.pair_average, all.pairs[1].accuracy);
  EXPECT_TRUE(one.unused.empty());
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
  std::vector<data::Answer> answers;
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
      EXPECT_NEAR(*source.correlations.pearson, expected.find(source.name)->number(), 1e-12)
          << source.name;
    }
  }
}

}  // namespace rubric::eval::mocha_suite_test
