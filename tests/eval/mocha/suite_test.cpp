#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"
#include "measured.h"
#include "messages.h"
#include "stats/correlation.h"

namespace rubric::eval::mocha_suite_test {

const Measurement& value(const MochaResult& result, const std::string& statistic,
                         const std::string& group = "", const std::string& source = "") {
  return measurement_of(result.measurements, statistic,
                        {.metric = result.metric, .group = group, .source = source});
}

TEST(MochaSuite, AveragesOverConstituents) {
  const MochaResult result = Example().result();
  EXPECT_EQ(value(result, "pearson", "drop").n, 4);
  EXPECT_NEAR(*value(result, "pearson", "drop").value, 1, 1e-12);
  EXPECT_NEAR(*value(result, "kendall", "quoref").value, -1, 1e-12);
  EXPECT_NEAR(*value(result, "pearson").value, 0, 1e-12);
  EXPECT_NEAR(*value(result, "spearman").value, 0, 1e-12);
  EXPECT_NEAR(value(result, "pearson", "drop").interval.value().low, 1, 1e-12);
  // Every resample is +1 and -1.
  EXPECT_NEAR(value(result, "pearson").interval.value().low, 0, 1e-12);
}

TEST(MochaSuite, ListsSources) {
  const MochaResult result = Example().result();
  const auto of_drop = [](const Measurement& one) {
    return one.keys.group == "drop" && !one.keys.source.empty();
  };
  EXPECT_EQ(std::ranges::count_if(result.measurements, of_drop), 3);  // the others have no source
  EXPECT_EQ(value(result, "spearman", "drop", "bert").n, 2);
  EXPECT_NEAR(*value(result, "spearman", "drop", "bert").value, 1, 1e-12);
  EXPECT_NEAR(*value(result, "pearson", "quoref", "gpt2").value, -1, 1e-12);
  EXPECT_NEAR(*value(result, "kendall", "quoref", "gpt2").value, -1, 1e-12);
}

TEST(MochaSuite, MissingPredictionsCountAsZero) {
  Example example;
  example.lerc.answers.erase({"drop", "3"});
  const MochaResult result = example.result();
  const std::vector<double> human = {1, 2, 4, 5}, predicted = {1, 2, 4, 0};
  EXPECT_NEAR(*value(result, "pearson", "drop").value, *stats::pearson(human, predicted), 1e-12);
  EXPECT_EQ(value(result, "missing", "drop").value, 1);
}

TEST(MochaSuite, UndefinedCorrelationLeavesNoAverage) {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  const MochaResult result = example.result();
  for (const char* const group : {"drop", ""}) {
    EXPECT_FALSE(value(result, "pearson", group).value);
    EXPECT_FALSE(value(result, "pearson", group).interval);
  }
}

TEST(MochaSuite, TieIsHalfAPointAndMissingIsIncorrect) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  const MochaResult result = evaluate_mocha(example.answers, four_pairs(), example.lerc, {});
  const std::string accuracy = "minimal_pair_accuracy";
  EXPECT_EQ(value(result, accuracy, "drop").value, 1.5 / 4);
  EXPECT_EQ(value(result, "missing_minimal_pairs", "drop").value, 1);
  EXPECT_EQ(value(result, accuracy, "quoref").value, 1);
  EXPECT_EQ(value(result, accuracy).value, (1.5 / 4 + 1) / 2);
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
  EXPECT_TRUE(std::ranges::none_of(
      one.measurements, [](const Measurement& each) { return each.keys.group == "drop"; }));
  const Measurement &here = value(one, "pearson", "quoref"),
                    &there = value(all, "pearson", "quoref");
  EXPECT_EQ(here.value, there.value);
  EXPECT_EQ(here.interval.value().low, there.interval.value().low);
  EXPECT_EQ(here.interval.value().high, there.interval.value().high);
  EXPECT_EQ(value(one, "pearson").value, here.value);
  EXPECT_EQ(value(one, "minimal_pair_accuracy").value,
            value(all, "minimal_pair_accuracy", "quoref").value);
  EXPECT_TRUE(one.notes.empty());
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
  size_t values = 0;
  for (const Measurement& one : result.measurements) {
    if (one.statistic != "pearson" || one.keys.group.empty()) continue;
    const Json& expected = *example.find("metrics")->find(one.keys.group);
    const std::string name = one.keys.source.empty() ? "overall" : one.keys.source;
    EXPECT_NEAR(one.value.value(), expected.find(name)->number(), 1e-12) << name;
    ++values;
  }
  EXPECT_EQ(values, 3 * example.find("metrics")->object().size());  // of all, and two sources
}

}  // namespace rubric::eval::mocha_suite_test
