#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"
#include "eval/result/render.h"
#include "measured.h"

namespace rubric::eval::mocha_result_test {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

std::vector<Table> tables_of(std::span<const MochaResult> metrics,
                             const std::vector<Measurement>& tests = {}) {
  return result_tables(mocha_result(metrics, tests, false), kPrintedText);
}

Json json_of(std::span<const MochaResult> metrics, bool resampled = false) {
  return to_json(mocha_result(metrics, {}, resampled));
}

// Of "drop" every prediction is 3.
MochaResult constant_in_drop() {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  return example.result();
}

TEST(MochaTables, HaveAColumnForEachMetric) {
  const std::vector<Table> tables = tables_of(two_results());
  ASSERT_EQ(tables.size(), 5u);
  EXPECT_EQ(tables[0].header, (Row{"constituent", "lerc", "bleu1"}));
  EXPECT_EQ(tables[0].rows, (Rows{{"drop", "1.000 [1.000, 1.000]", "1.000 [1.000, 1.000]"},
                                  {"quoref", "-1.000 [-1.000, -1.000]", "-1.000 [-1.000, -1.000]"},
                                  {"average", "0.000 [0.000, 0.000]", "0.000 [0.000, 0.000]"}}));
  EXPECT_EQ(tables[1].title, "Accuracy on minimal pairs, in percent");
  EXPECT_EQ(tables[1].rows,
            (Rows{{"drop", "37.5", "–"}, {"quoref", "100.0", "–"}, {"average", "68.8", "–"}}));
  EXPECT_EQ(mocha_result(two_results(), {}, false).notes,
            (Row{"lerc: 1 of 5 minimal pairs missing, counted as incorrect (drop 1)",
                 "bleu1: the minimal pairs are not scored"}));
}

// Human 1 2 4 5 against 1 2 5 4 in drop: r = 0.9, rho = 0.8, tau = 4 / 6.
TEST(MochaTables, ShowEachCorrelation) {
  Example example;
  example.lerc.answers[{"drop", "2"}] = 5;
  example.lerc.answers[{"drop", "3"}] = 4;
  const MochaResult result = example.result();
  const std::vector<Table> tables = tables_of({&result, 1});
  EXPECT_TRUE(tables[0].rows[0][1].starts_with("0.900 [")) << tables[0].rows[0][1];
  EXPECT_EQ(tables[1].title, "Spearman's rho");
  EXPECT_EQ(tables[1].rows, (Rows{{"drop", "0.800"}, {"quoref", "-1.000"}, {"average", "-0.100"}}));
  EXPECT_EQ(tables[2].title, "Kendall's tau-b");
  EXPECT_EQ(tables[2].rows, (Rows{{"drop", "0.667"}, {"quoref", "-1.000"}, {"average", "-0.167"}}));
}

TEST(MochaTables, SourcesThatAreAllOfTheirConstituentAreNotRepeated) {
  const std::vector<Table> tables = tables_of(two_results());
  EXPECT_EQ(tables[4].header, (Row{"constituent", "source", "n", "lerc", "bleu1"}));
  const std::string ones = "1.000 / 1.000 / 1.000";
  EXPECT_EQ(tables[4].rows, (Rows{{"drop", "bert", "2", ones, ones}}));
  Example example;
  for (data::Answer& answer : example.answers) answer.source = "bert";
  const MochaResult result = example.result();
  EXPECT_EQ(tables_of({&result, 1}).size(), 3u);
}

TEST(MochaTables, UndefinedCorrelationsAreDashes) {
  const MochaResult result = constant_in_drop();
  for (const Table& table : tables_of({&result, 1})) {
    EXPECT_TRUE(table.rows[0].back().starts_with("–")) << table.title;
  }
}

TEST(MochaMeasurements, AreOfConstituentsSourcesAndTheAverage) {
  const std::vector<MochaResult> results = two_results();
  const Json one = json_of({results.data(), 1}), both = json_of(results);
  for (const Json* const json : {&one, &both}) {
    const Json& drop = measured(*json, "pearson", {.metric = "lerc", .group = "drop"});
    for (const char* const member : {"value", "low", "high"}) {
      EXPECT_NEAR(drop.find(member)->number(), 1, 1e-12);
    }
    EXPECT_EQ(drop.find("n")->number(), 4);
    const Json& source =
        measured(*json, "kendall", {.metric = "lerc", .group = "quoref", .source = "gpt2"});
    EXPECT_NEAR(source.find("value")->number(), -1, 1e-12);
    EXPECT_EQ(source.find("n")->number(), 4);
    EXPECT_NEAR(value_of(*json, "spearman", {.metric = "lerc", .group = "quoref"}), -1, 1e-12);
    EXPECT_NEAR(measured(*json, "pearson", {.metric = "lerc"}).find("low")->number(), 0, 1e-12);
    const Json& pairs =
        measured(*json, "minimal_pair_accuracy", {.metric = "lerc", .group = "drop"});
    EXPECT_EQ(pairs.find("value")->number(), 0.375);
    EXPECT_EQ(pairs.find("n")->number(), 4);
    EXPECT_EQ(value_of(*json, "minimal_pair_accuracy", {.metric = "lerc"}), 0.6875);
    EXPECT_EQ(value_of(*json, "missing_minimal_pairs", {.metric = "lerc", .group = "drop"}), 1);
  }
  const auto count = [](const Json& json) { return json.find("measurements")->array().size(); };
  EXPECT_EQ(count(one), 3u * (2 + 2 + 1) + 2 + 3 + 2);  // and missing ones; pairs and missing ones
  EXPECT_EQ(count(both), 2 * count(one));
}

// Of four instances with r = 1 every resample has r = 1, or none when one instance was drawn four
// times; the accuracy of the pairs is one of 0, .125 … 1, and their mean near the accuracy itself.
TEST(MochaMeasurements, HaveTheValueOfEachResampleWhenAsked) {
  const std::vector<MochaResult> results = two_results();
  const Json json = json_of({results.data(), 1}, true);
  const auto resampled = [&](const std::string& statistic, const Keys& keys) {
    return measured(json, statistic, keys).find("resampled")->array();
  };
  const auto expect_all = [&](const Keys& keys, const char* expected) {
    const Json::Array values = resampled("pearson", keys);
    EXPECT_GE(values.size(), 100u);
    size_t defined = 0;
    for (const Json& value : values) {
      if (!value.is_number()) continue;
      EXPECT_EQ(value.number_text(), expected);
      ++defined;
    }
    EXPECT_GE(defined, values.size() * 9 / 10);
  };
  expect_all({.metric = "lerc", .group = "drop"}, "1");
  expect_all({.metric = "lerc", .group = "quoref", .source = "gpt2"}, "-1");
  const Json::Array accuracies =
      resampled("minimal_pair_accuracy", {.metric = "lerc", .group = "drop"});
  double sum = 0;
  for (const Json& accuracy : accuracies) sum += accuracy.number();
  EXPECT_NEAR(sum / static_cast<double>(accuracies.size()), 0.375, 0.06);
  EXPECT_EQ(json_of({results.data(), 1}).dump().find("resampled"), std::string::npos);
}

TEST(MochaMeasurements, SayWhyAValueIsMissing) {
  const std::vector<MochaResult> results = two_results();
  const Json unscored = json_of({&results[1], 1});
  EXPECT_EQ(
      measured(unscored, "minimal_pair_accuracy", {.metric = "bleu1", .group = "drop"}).dump(),
      R"({"metric": "bleu1", "group": "drop", "statistic": "minimal_pair_accuracy", )"
      R"("value": null, "n": 4, "why_missing": "the minimal pairs are not scored"})");
  const Keys bleu1{.metric = "bleu1"};
  EXPECT_TRUE(measured(unscored, "minimal_pair_accuracy", bleu1).find("value")->is_null());
  const MochaResult constant = constant_in_drop();
  const Json json = json_of({&constant, 1});
  EXPECT_EQ(json.dump().find("minimal_pair"), std::string::npos);
  EXPECT_EQ(measured(json, "pearson", {.metric = "lerc", .group = "drop"}).dump(),
            R"({"metric": "lerc", "group": "drop", "statistic": "pearson", "value": null, )"
            R"("n": 4, "why_missing": "constant or fewer than two values"})");
  EXPECT_EQ(measured(json, "pearson", {.metric = "lerc"}).find("why_missing")->string(),
            "undefined for a constituent");
}

TEST(MochaMeasurements, OfTestsNameBothMetricsAndTheMethod) {
  const auto test_of = [](const std::string& group, const std::string& method, double difference,
                          double p) {
    return Measurement{
        .keys = {.metric = "lerc", .against = "bleu1", .group = group, .method = method},
        .statistic = "difference",
        .value = difference,
        .p = p};
  };
  const std::vector<Measurement> tests = {test_of("drop", "williams", 0.1, 0.01),
                                          test_of("quoref", "williams", 0.1, 0.4),
                                          test_of("drop", "mcnemar", 0.25, 0.2),
                                          {.keys = {.metric = "human", .group = "drop"},
                                           .statistic = "krippendorff_alpha",
                                           .value = 0.75,
                                           .n = 4}};
  const std::vector<MochaResult> results = two_results();
  const Json json = to_json(mocha_result(results, tests, false));
  const Keys williams{.metric = "lerc", .against = "bleu1", .group = "drop", .method = "williams"};
  const Json& test = measured(json, "difference", williams);
  EXPECT_EQ(test.find("value")->number(), 0.1);
  EXPECT_EQ(test.find("p")->number(), 0.01);
  EXPECT_EQ(test.find("p_holm")->number(), 0.02);
  Keys mcnemar = williams;
  mcnemar.method = "mcnemar";
  EXPECT_EQ(value_of(json, "difference", mcnemar), 0.25);
  EXPECT_EQ(value_of(json, "krippendorff_alpha", {.metric = "human", .group = "drop"}), 0.75);
  const std::vector<Table> tables = tables_of(results, tests);
  ASSERT_EQ(tables.size(), 8u);
  EXPECT_EQ(tables[5].header, (Row{"metric", "against", "drop", "quoref"}));
  EXPECT_EQ(tables[5].rows, (Rows{{"lerc", "bleu1", "0.020", "0.400"}}));
  EXPECT_EQ(tables[5].notes,
            (Row{"p with Holm's correction over all 2 tests",
                 "drop: lerc has the highest Pearson's r; the difference to every other metric is "
                 "significant at 0.05",
                 "quoref: lerc has the highest Pearson's r; the difference is not significant at "
                 "0.05 for bleu1"}));
  EXPECT_EQ(tables[6].rows, (Rows{{"lerc", "bleu1", "0.200"}}));
  EXPECT_EQ(tables[7].rows, (Rows{{"drop", "4", "0.750"}}));
}

}  // namespace rubric::eval::mocha_result_test
