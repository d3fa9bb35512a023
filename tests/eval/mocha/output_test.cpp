#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"

namespace rubric::eval {
namespace {

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.object()) keys.push_back(key);
  return keys;
}

TEST(MochaJson, HasTheDocumentedShape) {
  using Keys = std::vector<std::string>;
  const std::vector<MochaResult> results = two_results();
  const Json json = to_json({results.data(), 1});
  EXPECT_EQ(keys_of(json), (Keys{"constituents", "average", "minimal_pairs", "notes"}));
  const Json& drop = *json.find("constituents")->find("drop");
  EXPECT_EQ(keys_of(drop),
            (Keys{"pearson", "spearman", "kendall", "n", "missing", "ci95", "sources"}));
  EXPECT_NEAR(drop.find("spearman")->number(), 1, 1e-12);
  EXPECT_EQ(drop.find("n")->number(), 4);
  EXPECT_EQ(drop.find("ci95")->array().size(), 2u);
  const Json& source = *json.find("constituents")->find("quoref")->find("sources")->find("gpt2");
  EXPECT_EQ(keys_of(source), (Keys{"pearson", "spearman", "kendall", "n"}));
  EXPECT_NEAR(source.find("kendall")->number(), -1, 1e-12);
  EXPECT_EQ(source.find("n")->number(), 4);
  EXPECT_EQ(keys_of(*json.find("average")), (Keys{"pearson", "spearman", "kendall", "ci95"}));
  const Json& pairs = *json.find("minimal_pairs");
  EXPECT_EQ(keys_of(*pairs.find("constituents")->find("drop")), (Keys{"accuracy", "n", "missing"}));
  EXPECT_EQ(pairs.find("constituents")->find("drop")->find("accuracy")->number(), 0.375);
  EXPECT_EQ(pairs.find("average")->number(), 0.6875);
}

// Of four instances with r = 1 every resample has r = 1, or none when one instance was drawn four
// times; the accuracy of the pairs is one of 0, .125 … 1, and their mean near the accuracy itself.
TEST(MochaJson, HasTheFigureOfEachResampleWhenAsked) {
  const std::vector<MochaResult> results = two_results();
  const Json json = to_json({results.data(), 1}, true);
  const Json& drop = *json.find("constituents")->find("drop");
  const Json& source = *json.find("constituents")->find("quoref")->find("sources")->find("gpt2");
  const auto resampled = [](const Json& figures, const std::string& name) {
    return figures.find("resampled")->find(name)->array();
  };
  const auto expect_all = [&](const Json& figures, const char* expected) {
    const Json::Array values = resampled(figures, "pearson");
    EXPECT_GE(values.size(), 100u);
    size_t defined = 0;
    for (const Json& value : values) {
      if (!value.is_number()) continue;
      EXPECT_EQ(value.number_text(), expected);
      ++defined;
    }
    EXPECT_GE(defined, values.size() * 9 / 10);
  };
  expect_all(drop, "1");
  expect_all(source, "-1");
  const Json::Array accuracies =
      resampled(*json.find("minimal_pairs")->find("constituents")->find("drop"), "accuracy");
  double sum = 0;
  for (const Json& accuracy : accuracies) sum += accuracy.number();
  EXPECT_NEAR(sum / static_cast<double>(accuracies.size()), 0.375, 0.06);
}

TEST(MochaJson, OfSeveralMetricsIsByTheirNames) {
  const std::vector<MochaResult> results = two_results();
  const Json json = to_json(results);
  EXPECT_EQ(keys_of(json), std::vector<std::string>{"metrics"});
  EXPECT_EQ(json.find("metrics")->find("lerc")->dump(), to_json({&results[0], 1}).dump());
}

TEST(MochaJson, PairsThatAreNotScoredAreNull) {
  const std::vector<MochaResult> results = two_results();
  const Json json = to_json({&results[1], 1});
  const Json& pairs = *json.find("minimal_pairs");
  EXPECT_EQ(pairs.find("constituents")->find("drop")->dump(),
            "{\"accuracy\": null, \"n\": 4, \"missing\": 0}");
  EXPECT_TRUE(pairs.find("average")->is_null());
  const MochaResult without_pairs = Example().result();
  EXPECT_EQ(to_json({&without_pairs, 1}).find("minimal_pairs"), nullptr);
}

TEST(MochaJson, UndefinedFiguresAreNull) {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  const MochaResult result = example.result();
  const Json json = to_json({&result, 1});
  EXPECT_TRUE(json.find("average")->find("pearson")->is_null());
  EXPECT_TRUE(json.find("constituents")->find("drop")->find("ci95")->is_null());
}

}  // namespace
}  // namespace rubric::eval
