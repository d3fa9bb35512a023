#include "data/scored_files/joined_scores.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::joined_scores_test {

std::vector<Answer> answers() {
  std::vector<Answer> answers(3);
  answers[0].id = answers[1].id = "0";
  answers[2].id = "2";
  answers[0].constituent = answers[2].constituent = "fid";
  answers[1].constituent = "gpt4";
  return answers;
}

struct JoinedScores : testing::Test {
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

// Its human labels among them, which would be metrics that agree with themselves.
TEST_F(JoinedScores, AreNoFieldsOfTheInput) {
  const std::vector<Json> rows = {Json(Json::Object{{"id", "0"}, {"text", "x"}}),
                                  Json(Json::Object{{"id", "0"}, {"rating", 5}}),
                                  Json(Json::Object{{"id", "2"}, {"by", Json::Object{{"a", 1}}}})};
  const auto file = folder_.write("other.jsonl",
                                  "{\"id\": 0, \"rating\": 5, \"by.a\": 2, \"n\": 1}\n"
                                  "{\"id\": 2, \"rating\": 1, \"by.a\": 3, \"n\": 2}\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(read_joined_scores(file, {{"id", "id"}}, answers(), rows).names,
            std::vector<std::string>{"n"});
  expect_contains(testing::internal::GetCapturedStderr(),
                  "fields that the input has too are not joined as scores: \"rating\", \"by.a\"");
  const auto labels = folder_.write("labels.csv", "id,rating\n0,5\n2,1\n");
  expect_contains(input_error([&] {
                    read_joined_scores(labels, {{"id", "id"}}, answers(), rows);
                  }),
                  "the row has no number beside its keys and the fields of the input");
}

// What `rubric score` has written: rows under any names, MOCHA's nesting, rows without ids.
TEST_F(JoinedScores, AreThoseOfAScoredFile) {
  const std::vector<std::vector<double>> expected = {{1}, {0.5}, {0.25}};
  const Scores scores = read(
      "{\"qid\": 0, \"constituent\": \"fid\", \"candidate\": \"7\", \"scores\": {\"f1\": 1}}\n"
      "{\"qid\": 2, \"constituent\": \"fid\", \"candidate\": \"8\", \"scores\": {\"f1\": 0.25}}\n"
      "{\"qid\": 0, \"constituent\": \"gpt4\", \"candidate\": \"9\", \"scores\": {\"f1\": 0.5}}\n",
      {{"id", "id"}, {"constituent", "constituent"}});
  EXPECT_EQ(scores.names, std::vector<std::string>{"f1"});
  EXPECT_EQ(scores.rows, expected);
  const std::string row = R"({"context": "c", "question": "q", "reference": "r", "candidate": "x")";
  const auto mocha =
      folder_.write("dev.json", R"({"fid": {"0": )" + row + R"(, "scores": {"f1": 1}}, "2": )" +
                                    row + R"(, "scores": {"f1": 0.25}}}, "gpt4": {"0": )" + row +
                                    R"(, "scores": {"f1": 0.5}}}})");
  EXPECT_EQ(
      read_joined_scores(mocha, {{"id", "id"}, {"constituent", "constituent"}}, answers()).rows,
      expected);
  std::vector<Answer> numbered(2);
  for (Answer& answer : numbered) answer.is_numbered = true;
  numbered[0].id = "1", numbered[1].id = "2";
  numbered[0].candidate = "a", numbered[1].candidate = "b";
  const auto without = folder_.write("n.jsonl",
                                     "{\"candidate\": \"a\", \"scores\": {\"f1\": 1}}\n"
                                     "{\"candidate\": \"b\", \"scores\": {\"f1\": 0}}\n");
  EXPECT_EQ(read_joined_scores(without, {{"id", "id"}}, numbered).rows,
            (std::vector<std::vector<double>>{{1}, {0}}));
  std::swap(numbered[0].candidate, numbered[1].candidate);
  expect_contains(input_error([&] {
                    read_joined_scores(without, {{"id", "id"}}, numbered);
                  }),
                  "another candidate than row 1");
}

// In JSON lines and in a table.
TEST_F(JoinedScores, KeepWhatTheirModelsHaveSeen) {
  const auto expect_seen = [&](const std::string& file) {
    const ScoresAndSeen scores = read_joined_scores(file, {{"id", "row"}}, answers());
    ASSERT_EQ(scores.seen.size(), 1U);
    EXPECT_EQ(scores.seen.at("lerc").trained, std::vector<size_t>{2});
    EXPECT_EQ(scores.seen.at("lerc").tuned, (std::vector<size_t>{0, 1}));
  };
  expect_seen(folder_.write("s.jsonl",
                            "{\"row\": 2, \"scores\": {\"lerc\": 1, \"f1\": 1}, "
                            "\"seen\": {\"lerc\": \"trained\"}}\n"
                            "{\"row\": 1, \"scores\": {\"lerc\": 2, \"f1\": 1}}\n"
                            "{\"row\": 0, \"scores\": {\"lerc\": 3, \"f1\": 1}, "
                            "\"seen\": {\"lerc\": \"tuned\"}}\n"));
  expect_seen(
      folder_.write("s.csv", "row,lerc,f1,seen.lerc\n2,1,1,trained\n1,2,1,\n0,3,1,tuned\n"));
}

// Numbers that count rows are no scores.
TEST_F(JoinedScores, AreNoIds) {
  const auto file = folder_.write("other.csv", "row,index,question_id,judge\n2,7,4,0.5\n0,8,5,1\n");
  EXPECT_EQ(read_joined_scores(file, {{"id", "row"}}, answers()).names,
            std::vector<std::string>{"judge"});
}

TEST_F(JoinedScores, WhatIsWrongIsNamed) {
  const std::string row = R"({"row": 0, "x": 1})";
  EXPECT_EQ(error(row), error_lines("1 of 3 rows have no score there, the first is \"2\" of fid",
                                    folder_.file("other.jsonl"),
                                    "name the keys with --on, such as --on id=row"));
  expect_contains(error(row + "\n" + row), "another row has the same keys");
  expect_contains(error(row + "\n" + row), folder_.file("other.jsonl") + ":2");
  expect_contains(error(R"({"x": 1})"), "\"row\" is missing");
  expect_contains(error(R"({"row": [0], "x": 1})"), "must be a text or a number");
  expect_contains(error(R"({"row": 0, "x": "y"})"), "the row has no number beside its keys");
  expect_contains(error(row + "\n" + R"({"row": 2, "x": "none"})"), "the score \"x\" is no number");
  expect_contains(error(row, {{"candidate", "row"}}), "rows cannot be matched by \"candidate\"");
}

}  // namespace rubric::data::joined_scores_test
