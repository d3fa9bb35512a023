#include "data/answers/mocha.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::mocha_test {

struct Mocha : testing::Test {
  std::filesystem::path file_with(const std::string& text) const {
    return folder_.write("mocha.json", text);
  }

  void expect_error(const std::string& text, const std::vector<std::string>& parts) const {
    const std::string message = input_error([&] { read_mocha(file_with(text)); });
    for (const std::string& part : parts) expect_contains(message, part);
  }

  TemporaryFolder folder_;
};

const std::string kMochaInstance =
    R"("context": "p", "question": "q", "reference": "r", "candidate": "c")";

TEST_F(Mocha, ReadsInstancesInFileOrder) {
  const std::filesystem::path path =
      file_with("{\"drop\": {\"b\": {" + kMochaInstance +
                R"(, "score": 4.5, "metadata": {"scores": [4, 5], "source": "bert"}}, "a": {)" +
                kMochaInstance + "}}, \"my own\": {\"b\": {" + kMochaInstance +
                R"(, "score": 1, "metadata": {}, "extra": 1}}})");
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

TEST_F(Mocha, ErrorsNameFileConstituentAndId) {
  expect_error(
      "{\"drop\": {\"x1\": {\"context\": \"p\", \"question\": \"q\", \"candidate\": \"c\"}}}",
      {"mocha.json: ", "\"drop\"", "\"x1\"", "\"reference\" is missing"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": \"5\"}}}",
               {"\"x1\"", "must be a number", "a string"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": null}}}",
               {"\"x1\"", "null"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": 5.01}}}",
               {"5.01", "from 1 to 5"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"score\": 0}}}", {"from 1 to 5"});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"metadata\": []}}}",
               {"\"metadata\""});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + ", \"metadata\": {\"source\": 3}}}}",
               {"\"source\""});
  expect_error("{\"drop\": {\"x1\": {" + kMochaInstance + "}, \"x1\": {" + kMochaInstance + "}}}",
               {"\"x1\" occurs twice"});
}

TEST_F(Mocha, RefusesWhatIsNotMocha) {
  expect_error("{\"drop\": {\"x1\": {", {"not valid JSON"});
  expect_error("[]", {"expected an object", "an array", "{constituent: {id:"});
  expect_error("{\"drop\": 3}", {"\"drop\""});
  expect_error("{\"drop\": {\"x1\": \"text\"}}", {"\"x1\"", "a string"});
  expect_error("{\"drop\": {}}", {"no instances"});
  expect_error(std::string(100000, '['), {"nested"});
  expect_contains(input_error([] { read_mocha("/no/such/file.json"); }), "no such file");
}

std::string pair_with(const std::string& scores) {
  return R"({"quoref": {"m1": {"context": "p", "question": "q", "reference": "r",
             "candidate1": "good", "candidate2": "bad")" +
         scores + "}}}";
}

TEST_F(Mocha, ReadsMinimalPairs) {
  const auto pairs = read_mocha_pairs(file_with(pair_with(R"(, "score1": 5, "score2": 1.5)")));
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].better.candidate, "good");
  EXPECT_EQ(pairs[0].worse.candidate, "bad");
  EXPECT_EQ(pairs[0].better.score, 5);
  EXPECT_EQ(pairs[0].worse.score, 1.5);
  EXPECT_EQ(pairs[0].worse.id, "m1");
  EXPECT_EQ(pairs[0].worse.constituent, "quoref");
  EXPECT_FALSE(read_mocha_pairs(file_with(pair_with("")))[0].better.score);
}

TEST_F(Mocha, RefusesPairsInTheWrongOrder) {
  const auto message = [&](const std::string& scores) {
    return input_error([&] { read_mocha_pairs(file_with(pair_with(scores))); });
  };
  expect_contains(message(R"(, "score1": 2, "score2": 2)"), "greater");
  expect_contains(message(R"(, "score1": 2)"), "the other has none");
}

}  // namespace rubric::data::mocha_test
