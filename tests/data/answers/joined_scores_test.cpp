#include "data/answers/joined_scores.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

std::vector<Answer> answers() {
  std::vector<Answer> answers(3);
  answers[0].id = answers[1].id = "0";
  answers[2].id = "2";
  answers[0].constituent = answers[2].constituent = "fid";
  answers[1].constituent = "gpt4";
  return answers;
}

class JoinedScores : public testing::Test {
 protected:
  std::string error(const std::string& text, const FieldNames& keys = {{"id", "row"}}) const {
    return input_error([&] { read(text, keys); });
  }
  Scores read(const std::string& text, const FieldNames& keys) const {
    return read_joined_scores(folder_.write("other.jsonl", text), keys, answers());
  }

  TemporaryFolder folder_;
  const FieldNames both_ = {{"id", "row"}, {"constituent", "system"}};
};

TEST_F(JoinedScores, ComeFromTheRowsWithTheSameKeys) {
  const Scores scores = read(
      "{\"row\": 2, \"system\": \"fid\", \"pedants\": 0.25, \"n\": 3}\n"
      "{\"row\": 1, \"system\": \"fid\", \"pedants\": 9, \"n\": 9}\n"
      "{\"row\": 0, \"system\": \"gpt4\", \"n\": 2, \"pedants\": 0.5}\n"
      "{\"row\": 0, \"system\": \"fid\", \"pedants\": 1, \"n\": 1, \"note\": \"x\"}\n",
      both_);
  EXPECT_EQ(scores.names, (std::vector<std::string>{"pedants", "n"}));
  EXPECT_EQ(scores.rows, (std::vector<std::vector<double>>{{1, 1}, {0.5, 2}, {0.25, 3}}));
}

TEST_F(JoinedScores, OfATableAreItsNumbers) {
  const auto file = folder_.write("other.csv", "id,judge,text\n2,0.5,a\n0,1,b\n");
  const Scores scores = read_joined_scores(file, {{"id", "id"}}, answers());
  EXPECT_EQ(scores.names, std::vector<std::string>{"judge"});
  EXPECT_EQ(scores.rows, (std::vector<std::vector<double>>{{1}, {1}, {0.5}}));
}

// Numbers that are texts or ids of the answers, and the human score, are none.
TEST_F(JoinedScores, AreNoFieldsOfAnAnswer) {
  const auto file = folder_.write("other.csv",
                                  "row,id,candidate,gold,score,judge\n2,7,1969,5,1,0.5\n"
                                  "0,8,two,6,5,1\n");
  EXPECT_EQ(read_joined_scores(file, {{"id", "row"}}, answers()).names,
            std::vector<std::string>{"judge"});
}

TEST_F(JoinedScores, WhatIsWrongIsNamed) {
  const std::string row = R"({"row": 0, "x": 1})";
  EXPECT_EQ(error(row), error_lines("1 of 3 rows have no score there, the first is fid/2",
                                    folder_.file("other.jsonl"),
                                    "name the keys with --on, such as --on id=row"));
  expect_contains(error(row + "\n" + row), "another row has the same keys");
  expect_contains(error(row + "\n" + row), folder_.file("other.jsonl") + ":2");
  expect_contains(error(R"({"x": 1})"), "\"row\" is missing");
  expect_contains(error(R"({"row": [0], "x": 1})"), "must be a text or a number");
  expect_contains(error(R"({"row": 0, "x": "y"})"), "the row has no number beside its keys");
  expect_contains(error(row + "\n" + R"({"row": 2, "x": "none"})"), "the score \"x\" is no number");
  expect_contains(error(row, {{"candidate", "row"}}), "rows are not told apart by \"candidate\"");
  expect_contains(
      input_error([&] { read_joined_scores(folder_.write("dev.json", "{}"), both_, answers()); }),
      "the file has no rows of scores");
}

}  // namespace
}  // namespace rubric::data
