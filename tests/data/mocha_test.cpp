#include "data/mocha.h"

#include <functional>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace rubric {
namespace {

std::string file_with(const std::string& text) {
  const std::string path =
      testing::TempDir() + "rubric_mocha_" + std::to_string(getpid()) + ".json";
  write_file(path, text);
  return path;
}

// The message of the InputError that `action` must throw.
std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

void expect_error(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = error_of([&] { read_mocha(file_with(text)); });
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
  }
}

const std::string kInstance =
    R"("context": "p", "question": "q", "reference": "r", "candidate": "c")";

TEST(Mocha, ReadsInstancesInFileOrder) {
  const std::string path = file_with(
      "{\"drop\": {\"b\": {" + kInstance +
      R"(, "score": 4.5, "metadata": {"scores": [4, 5], "source": "bert"}}, "a": {)" + kInstance +
      "}}, \"my own\": {\"b\": {" + kInstance + R"(, "score": 1, "metadata": {}, "extra": 1}}})");
  const std::vector<Answer> answers = read_mocha(path);
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0].constituent, "drop");
  EXPECT_EQ(answers[0].id, "b");
  EXPECT_EQ(answers[0].passage, "p");
  EXPECT_EQ(answers[0].question, "q");
  EXPECT_EQ(answers[0].references, std::vector<std::string>{"r"});
  EXPECT_EQ(answers[0].candidate, "c");
  EXPECT_EQ(answers[0].source, "bert");
  EXPECT_EQ(answers[0].score, 4.5);
  EXPECT_FALSE(answers[1].score);
  EXPECT_EQ(answers[1].source, "");
  EXPECT_EQ(answers[2].constituent, "my own");
  EXPECT_EQ(answers[2].id, "b");
}

TEST(Mocha, ErrorsNameFileConstituentAndId) {
  expect_error(
      "{\"drop\": {\"x1\": {\"context\": \"p\", \"question\": \"q\", \"candidate\": \"c\"}}}",
      {"rubric_mocha_", "\"drop\"", "\"x1\"", "\"reference\" is missing"});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + ", \"score\": \"5\"}}}",
               {"\"x1\"", "must be a number", "a string"});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + ", \"score\": null}}}", {"\"x1\"", "null"});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + ", \"score\": 5.01}}}",
               {"5.01", "from 1 to 5"});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + ", \"score\": 0}}}", {"from 1 to 5"});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + ", \"metadata\": []}}}", {"\"metadata\""});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + ", \"metadata\": {\"source\": 3}}}}",
               {"\"source\""});
  expect_error("{\"drop\": {\"x1\": {" + kInstance + "}, \"x1\": {" + kInstance + "}}}",
               {"\"x1\" occurs twice"});
}

TEST(Mocha, RefusesWhatIsNotMocha) {
  expect_error("{\"drop\": {\"x1\": {", {"not valid JSON"});
  expect_error("[]", {"expected an object", "an array", "{constituent: {id:"});
  expect_error("{\"drop\": 3}", {"\"drop\""});
  expect_error("{\"drop\": {\"x1\": \"text\"}}", {"\"x1\"", "a string"});
  expect_error("{\"drop\": {}}", {"no instances"});
  expect_error(std::string(100000, '['), {"nested"});
  EXPECT_NE(error_of([] { read_mocha("/no/such/file.json"); }).find("no such file"),
            std::string::npos);
}

std::string pair_with(const std::string& scores) {
  return R"({"quoref": {"m1": {"context": "p", "question": "q", "reference": "r",
             "candidate1": "good", "candidate2": "bad")" +
         scores + "}}}";
}

TEST(Mocha, ReadsMinimalPairs) {
  const auto pairs = read_minimal_pairs(file_with(pair_with(R"(, "score1": 5, "score2": 1.5)")));
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].better.candidate, "good");
  EXPECT_EQ(pairs[0].worse.candidate, "bad");
  EXPECT_EQ(pairs[0].better.score, 5);
  EXPECT_EQ(pairs[0].worse.score, 1.5);
  EXPECT_EQ(pairs[0].worse.id, "m1");
  EXPECT_FALSE(read_minimal_pairs(file_with(pair_with("")))[0].better.score);
}

TEST(Mocha, RefusesPairsInTheWrongOrder) {
  const auto message = [](const std::string& scores) {
    return error_of([&] { read_minimal_pairs(file_with(pair_with(scores))); });
  };
  EXPECT_NE(message(R"(, "score1": 2, "score2": 2)").find("greater"), std::string::npos);
  EXPECT_NE(message(R"(, "score1": 2)").find("the other has none"), std::string::npos);
}

TEST(Mocha, ReadsPredictions) {
  const std::string path =
      file_with(R"({"drop": {"a": {"pred_score": 2.5}}, "quoref": {"a": {"pred_score": -1}}})");
  const Predictions expected = {{{"drop", "a"}, 2.5}, {{"quoref", "a"}, -1}};
  EXPECT_EQ(read_mocha_predictions(path, "pred_score"), expected);
  EXPECT_NE(error_of([&] {
              read_mocha_predictions(path, "pred_score1");
            }).find("\"drop\" / \"a\"\n  to do: did you mean \"pred_score\"?"),
            std::string::npos);
}

TEST(Mocha, ReadsScoresAndLeavesOutNull) {
  const std::string path = file_with(
      R"({"drop": {"a": {"scores": {"bleu1": 0.5, "lerc": null}}, "b": {"scores": {"lerc": 4}}}})");
  const std::map<std::string, Predictions> expected = {{"bleu1", {{{"drop", "a"}, 0.5}}},
                                                       {"lerc", {{{"drop", "b"}, 4}}}};
  EXPECT_EQ(read_mocha_scores(path, "scores"), expected);
}

TEST(Mocha, RefusesScoresOfTheWrongKindOrGivenTwice) {
  std::map<std::string, Predictions> all;
  const auto add = [&](const char* scores) {
    return error_of([&] { add_scores(Json::parse(scores, ""), {"drop", "a"}, "f:1", all); });
  };
  EXPECT_NE(add("[1]").find("must be an object"), std::string::npos);
  EXPECT_NE(add("{\"lerc\": \"4\"}").find("\"lerc\" must be a number"), std::string::npos);
  add_scores(Json::parse("{\"lerc\": 4}", ""), {"drop", "a"}, "f:1", all);
  EXPECT_NE(add("{\"lerc\": 4}").find("a second score \"lerc\""), std::string::npos);
}

TEST(Mocha, MatchesByConstituentAndIdOrByIdAlone) {
  const std::vector<InstanceKey> keys = {{"drop", "a"}, {"drop", "b"}, {"quoref", "c"}};
  const MatchedPredictions matched =
      match_predictions(keys, {{{"drop", "a"}, 1}, {{"", "c"}, 3}, {{"quoref", "z"}, 9}}, "lerc");
  EXPECT_EQ(matched.values, (std::vector<std::optional<double>>{1, std::nullopt, 3}));
  EXPECT_EQ(matched.unused, 1);
}

TEST(Mocha, RefusesAmbiguousIdsAndForeignScores) {
  const std::vector<InstanceKey> keys = {{"drop", "a"}, {"quoref", "a"}};
  EXPECT_NE(error_of([&] {
              match_predictions(keys, {{{"", "a"}, 1}}, "lerc");
            }).find("several constituents"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              match_predictions(keys, {{{"drop", "x"}, 1}}, "lerc");
            }).find("no score of lerc belongs"),
            std::string::npos);
}

}  // namespace
}  // namespace rubric
