// The readers of EfficientQA and of Answer Equivalence.
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "data/answers/answer_equivalence.h"
#include "data/answers/efficientqa.h"
#include "data/reading.h"

namespace rubric::data::graded_answers_test {

const std::string kQuestion =
    R"({"question": "who?", "answer": ["Ann", "Anna Li"], "def_correct_predictions": ["ann"], )"
    R"("poss_correct_predictions": ["the Lis", ""], "def_incorrect_predictions": ["Bob"], )"
    R"("answer_and_def_correct_predictions": ["Ann", "Anna Li", "ann"]})";
const std::string kUngraded =
    R"({"question": "when?", "answer": ["now"], "def_correct_predictions": [], )"
    R"("poss_correct_predictions": [], "def_incorrect_predictions": []})";

using EfficientQa = Reading<read_efficientqa>;
using AnswerEquivalence = Reading<read_answer_equivalence>;

// `line`, and a second time with `to` for `from`.
std::string changed(const std::string& line, const std::string& from, const std::string& to) {
  return line + "\n" + std::string(line).replace(line.find(from), from.size(), to) + "\n";
}

TEST_F(EfficientQa, EveryPredictionIsARecordWithTheScoreOfItsGrade) {
  std::vector<Answer> answers;
  expect_contains(stderr_of([&] { answers = read(kUngraded + "\n" + kQuestion + "\n"); }),
                  "the labels 5, 3 and 1");
  const std::string rest = R"(, "constituent": "efficientqa", "question": "who?", )"
                           R"("reference": ["Ann", "Anna Li"], "candidate": )";
  EXPECT_EQ(rows_text(answers), "{\"id\": \"2.1\"" + rest + "\"ann\", \"score\": 5}\n" +
                                    "{\"id\": \"2.2\"" + rest + "\"the Lis\", \"score\": 3}\n" +
                                    "{\"id\": \"2.3\"" + rest + "\"\", \"score\": 3}\n" +
                                    "{\"id\": \"2.4\"" + rest + "\"Bob\", \"score\": 1}\n");
}

// By how its first line begins.
TEST_F(EfficientQa, IsKnownByItsFields) {
  EXPECT_EQ(input_format("", folder_.write("test.jsonl", kQuestion + "\n")), kEfficientQa);
  EXPECT_EQ(input_format("", folder_.write("nq.jsonl", R"({"question": "q", "answer": ["a"]})")),
            InputFormat::kJsonl);
}

TEST_F(EfficientQa, WhatIsWrongIsNamed) {
  const std::string where = file_ + ":2";
  const auto error = [&](const std::string& from, const std::string& to) {
    return Reading::error(changed(kQuestion, from, to));
  };
  EXPECT_EQ(error("[\"Ann\", \"Anna Li\"],", "[],"),
            error_lines("the question has no answer", where, "add one, or remove the row"));
  EXPECT_EQ(error("[\"ann\"]", "[1]"),
            error_lines("the field \"def_correct_predictions\" lists a number", where,
                        "give a list of texts"));
  expect_contains(error("def_incorrect_predictions", "incorrect"),
                  "\"def_incorrect_predictions\" is missing");
  expect_contains(error("\"who?\"", "null"), "\"question\"");
  EXPECT_EQ(Reading::error(kUngraded + "\n"),
            error_lines("the file has no graded predictions", file_, "fetch it again"));
}

const std::string kCorrect =
    R"({"label": "correct", "reference": "r", "candidate": "c", "question": "q"})";
const std::string kIncorrect =
    R"({"label": "incorrect", "reference": "r/s", "candidate": "", "question": "q"})";

TEST_F(AnswerEquivalence, EveryLabelledRowIsARecord) {
  std::vector<Answer> answers;
  expect_contains(stderr_of([&] { answers = read(kCorrect + "\n" + kIncorrect + "\n"); }),
                  "the labels 5 and 1");
  EXPECT_EQ(
      rows_text(answers),
      R"({"id": "1", "constituent": "answer_equivalence", "question": "q", "reference": "r", "candidate": "c", "score": 5}
{"id": "2", "constituent": "answer_equivalence", "question": "q", "reference": "r/s", "candidate": "", "score": 1}
)");
}

TEST_F(AnswerEquivalence, WhatIsWrongIsNamed) {
  const auto error = [&](const std::string& from, const std::string& to) {
    return Reading::error(changed(kCorrect, from, to));
  };
  EXPECT_EQ(error("\"correct\"", "\"right\""),
            error_lines("the label must be \"correct\" or \"incorrect\", it is \"right\"",
                        file_ + ":2", "correct the label, or remove the row"));
  expect_contains(error("reference", "answer"), "\"reference\" is missing");
  expect_contains(error("\"c\"", "[\"c\"]"), "\"candidate\"");
  EXPECT_EQ(Reading::error("\n"), error_lines("the file has no rows", file_, "fetch it again"));
}

// Of both, the counts that a program in Python gave.
std::map<double, int64_t> scores_of(const std::vector<Answer>& answers) {
  std::map<double, int64_t> counts;
  std::set<std::string> ids;
  for (const Answer& answer : answers) {
    ++counts[answer.score.value()];
    EXPECT_TRUE(ids.insert(answer.id).second) << answer.id;
  }
  return counts;
}

TEST(GradedAnswersRealData, HaveTheCountsOfTheirReadme) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path folder = data;
  const auto graded =
      read_efficientqa(folder / "efficientqa" / "NQ-open.efficientqa.test.1.1.jsonl");
  EXPECT_EQ(graded.size(), 5886u);
  EXPECT_EQ(scores_of(graded), (std::map<double, int64_t>{{1, 4149}, {3, 984}, {5, 753}}));
  const auto equivalent = read_answer_equivalence(folder / "ae_train" / "train.jsonl");
  EXPECT_EQ(equivalent.size(), 9090u);
  EXPECT_EQ(scores_of(equivalent), (std::map<double, int64_t>{{1, 1499}, {5, 7591}}));
}

}  // namespace rubric::data::graded_answers_test
