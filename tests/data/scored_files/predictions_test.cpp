#include <regex>

#include <gtest/gtest.h>

#include "core/files/gzip.h"
#include "data/scored_files/scored_files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::predictions_test {

using MetricPredictions = std::map<std::string, Predictions>;

struct PredictionFiles : testing::Test {
  MetricPredictions scores(const std::string& name, const std::string& text) const {
    return read_scores(folder_.write(name, text), "scores");
  }
  std::string error(const std::string& name, const std::string& text) const {
    return input_error([&] { scores(name, text); });
  }

  TemporaryFolder folder_;
};

TEST_F(PredictionFiles, MayBeRows) {
  const Predictions expected = {{{"drop", "a"}, 1.5}, {{"", "b"}, -2}};
  const std::pair<const char*, const char*> files[] = {
      {"p.csv", "pred_score,id,constituent\n1.5,a,drop\n-2,b,\n"},
      {"p.tsv", "id\tconstituent\tpred_score\na\tdrop\t1.5\nb\t\t-2\n"},
      {"p.jsonl",
       "{\"constituent\": \"drop\", \"id\": \"a\", \"pred_score\": 1.5}\n"
       "{\"id\": \"b\", \"pred_score\": -2}\n"},
      {"p.json",
       "[{\"constituent\": \"drop\", \"id\": \"a\", \"pred_score\": 1.5},\n"
       "{\"id\": \"b\", \"pred_score\": -2}]\n"}};
  for (const auto& [name, text] : files) {
    EXPECT_EQ(read_predictions(folder_.write(name, text), "pred_score"), expected) << name;
  }
  const auto refused = [&](const std::string& text) {
    return input_error([&] { read_predictions(folder_.write("p.csv", text), "pred_score"); });
  };
  expect_contains(refused("id,pred_score\na,1\na,2\n"), "a second prediction");
  expect_contains(refused("id,pred_score\na,\n"), "\"pred_score\" is missing");
  expect_contains(refused("id,pred_score\na,x\n"), "\"pred_score\" must be a number");
  expect_contains(refused("pred_score\n1\n"), "\"id\" is missing");
  expect_contains(refused("id,pred_score\n"), "the file has no rows");
}

TEST_F(PredictionFiles, HoldOneNumberForEachInstance) {
  const auto file = folder_.write(
      "p.json", R"({"drop": {"a": {"pred_score": 2.5}}, "quoref": {"a": {"pred_score": -1}}})");
  EXPECT_EQ(read_predictions(file, "pred_score"),
            (Predictions{{{"drop", "a"}, 2.5}, {{"quoref", "a"}, -1}}));
  EXPECT_EQ(input_error([&] { read_predictions(file, "pred_score1"); }),
            error_lines("the field \"pred_score1\" is missing",
                        file.string() + ": \"drop\" / \"a\"", "did you mean \"pred_score\"?"));
}

TEST_F(PredictionFiles, ScoresAreReadNestedAndInRows) {
  const MetricPredictions expected = {{"bleu1", {{{"drop", "a"}, 0.5}}},
                                      {"lerc", {{{"drop", "7"}, 4}}}};
  EXPECT_EQ(scores("nested.json", R"({"drop": {"a": {"scores": {"bleu1": 0.5, "lerc": null}},
                                               "7": {"scores": {"lerc": 4}}}})"),
            expected);
  EXPECT_EQ(scores("one_line.json.gz", gzip(R"({"drop": {"a": {"scores": {"bleu1": 0.5}}}})")),
            (MetricPredictions{{"bleu1", {{{"drop", "a"}, 0.5}}}}));
  const std::string rows = R"({"id": "a", "constituent": "drop", "scores": {"bleu1": 0.5}})"
                           "\n \n"
                           R"({"id": 7, "constituent": "drop", "scores": {"lerc": 4}})"
                           "\n";
  EXPECT_EQ(scores("rows.jsonl", rows), expected);
  EXPECT_EQ(scores("rows.json", rows), expected);  // known by its first line
  EXPECT_EQ(scores("array.json", "[" + std::regex_replace(rows, std::regex("\n \n"), ",\n") + "]"),
            expected);
  EXPECT_EQ(scores("rows.jsonl", R"({"id": "a", "constituent": null, "scores": {"em": 1}})"),
            (MetricPredictions{{"em", {{{"", "a"}, 1}}}}));
}

TEST_F(PredictionFiles, ScoresMayBeATable) {
  const MetricPredictions expected = {{"bleu1", {{{"drop", "a"}, 0.5}}},
                                      {"lerc", {{{"drop", "a"}, 3}, {{"drop", "7"}, 4}}}};
  EXPECT_EQ(scores("t.csv",
                   "id,constituent,question,score,bleu1,lerc,nothing\n"
                   "a,drop,why?,5,0.5,3,\n7,drop,who?,1,,4,\n"),
            expected);
  EXPECT_EQ(scores("t.csv", "id, constituent, lerc\na,drop, +3\n7,drop,4 \n"),
            (MetricPredictions{{"lerc", {{{"drop", "a"}, 3}, {{"drop", "7"}, 4}}}}));
  EXPECT_EQ(scores("t.csv", "id,reference,candidate,question,passage,lerc\na,7,8,1,2,3\n"),
            (MetricPredictions{{"lerc", {{{"", "a"}, 3}}}}));
  expect_contains(error("t.csv", "id,lerc\na,1\na,2\n"), "a second score \"lerc\"");
  expect_contains(error("t.csv", "lerc\n1\n"), "\"id\" is missing");
  const auto file = folder_.write("t.csv", "id,lerc\na,1\n");
  expect_contains(input_error([&] { read_scores(file, "scores1"); }), "--pair-predictions");
}

TEST_F(PredictionFiles, BadScoresAreNamed) {
  const std::string good = "{\"id\": \"i\", \"scores\": {\"lerc\": 1}}\n";
  const std::string rows = folder_.file("rows.jsonl");
  expect_contains(error("rows.jsonl", good + "{\"id\": \n"), rows + ":2");
  EXPECT_EQ(error("rows.jsonl", good + good),
            error_lines("a second score \"lerc\" for the same instance", rows + ":2",
                        "keep one of the two, or give the rows their \"constituent\""));
  expect_contains(error("rows.jsonl", R"({"scores": {"lerc": 1}})"), "\"id\" is missing");
  expect_contains(error("rows.jsonl", R"({"id": 1})"), "\"scores\" is missing");
  expect_contains(error("rows.jsonl", ""), "the file has no rows");
  expect_contains(error("rows.jsonl", R"({"id": 1, "scores": {}})"), "the file holds no scores");
  expect_contains(error("rows.jsonl", R"({"id": 1, "scores": [1]})"), "must be an object");
  expect_contains(error("nested.json", R"({"drop": {"a": {"scores": {"lerc": "four"}}}})"),
                  "the score \"lerc\" must be a number, true or false, it is \"four\"");
}

TEST(MatchPredictions, ByConstituentAndIdOrByIdAlone) {
  const std::vector<InstanceKey> keys = {{"drop", "a"}, {"drop", "b"}, {"quoref", "c"}};
  const MatchedPredictions matched =
      match_predictions(keys, {{{"drop", "a"}, 1}, {{"", "c"}, 3}, {{"quoref", "z"}, 9}}, "lerc");
  EXPECT_EQ(matched.values, (std::vector<std::optional<double>>{1, std::nullopt, 3}));
  EXPECT_EQ(matched.unused, (std::vector<InstanceKey>{{"quoref", "z"}}));
}

TEST(MatchPredictions, RefusesAmbiguousIdsAndForeignScores) {
  const std::vector<InstanceKey> keys = {{"drop", "a"}, {"quoref", "a"}};
  const auto error = [&](const Predictions& predictions) {
    return input_error([&] { match_predictions(keys, predictions, "lerc"); });
  };
  expect_contains(error({{{"", "a"}, 1}}), "occurs in several constituents");
  expect_contains(error({{{"drop", "x"}, 1}}), "no score of lerc belongs");
}

}  // namespace rubric::data::predictions_test
