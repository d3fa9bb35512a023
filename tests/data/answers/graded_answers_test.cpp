// The readers of EfficientQA and of Answer Equivalence.
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "data/answers/answer_equivalence.h"
#include "data/answers/efficientqa.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::graded_answers_test {

const std::string kQuestion =
    R"({"question": "who?", "answer": ["Ann", "Anna Li"], "def_correct_predictions": ["ann"], )"
    R"("poss_correct_predictions": ["the Lis", ""], "def_incorrect_predictions": ["Bob"], )"
    R"("answer_and_def_correct_predictions": ["Ann", "Anna Li", "ann"]})";
const std::string kUngraded =
    R"({"question": "when?", "answer": ["now"], "def_correct_predictions": [], )"
    R"("poss_correct_predictions": [], "def_incorrect_predictions": []})";

struct EfficientQa : testing::Test {
  std::vector<Answer> read(const std::string& text) const {
    return read_efficientqa(folder_.write("test.jsonl", text));
  }
  // Of a second line in which `from` became `to`.
  std::string error(const std::string& from, const std::string& to) const {
    std::string text = kQuestion;
    text.replace(text.find(from), from.size(), to);
    return input_error([&] { read(kQuestion + "\n" + text + "\n"); });
  }

  TemporaryFolder folder_;
};

TEST_F(EfficientQa, EveryPredictionIsARecordWithTheScoreOfItsGrade) {
  testing::internal::CaptureStderr();
  const auto answers = read(kUngraded + "\n" + kQuestion + "\n");
  expect_contains(testing::internal::GetCapturedStderr(), "the labels 5, 3 and 1");
  ASSERT_EQ(answers.size(), 4u);
  const std::vector<std::string> candidates = {"ann", "the Lis", "", "Bob"};
  const std::vector<double> scores = {5, 3, 3, 1};
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].id, "2." + std::to_string(i + 1));
    EXPECT_EQ(answers[i].constituent, "efficientqa");
    EXPECT_EQ(answers[i].question, "who?");
    EXPECT_EQ(answers[i].references, (std::vector<std::string>{"Ann", "Anna Li"}));
    EXPECT_EQ(answers[i].candidate, candidates[i]);
    EXPECT_EQ(answers[i].score, scores[i]);
  }
}

// By how its first line begins.
TEST_F(EfficientQa, IsKnownByItsFields) {
  EXPECT_EQ(input_format("", folder_.write("test.jsonl", kQuestion + "\n")), kEfficientQa);
  EXPECT_EQ(input_format("", folder_.write("nq.jsonl", R"({"question": "q", "answer": ["a"]})")),
            InputFormat::kJsonl);
}

TEST_F(EfficientQa, WhatIsWrongIsNamed) {
  const std::string where = folder_.file("test.jsonl") + ":2";
  EXPECT_EQ(error("[\"Ann\", \"Anna Li\"],", "[],"),
            error_lines("the question has no answer", where, "add one, or remove the row"));
  EXPECT_EQ(error("[\"ann\"]", "[1]"),
            error_lines("the field \"def_correct_predictions\" lists a number", where,
                        "give a list of texts"));
  expect_contains(error("def_incorrect_predictions", "incorrect"),
                  "\"def_incorrect_predictions\" is missing");
  expect_contains(error("\"who?\"", "null"), "\"question\"");
  EXPECT_EQ(input_error([&] { read(kUngraded + "\n"); }),
            error_lines("the file has no graded predictions", folder_.file("test.jsonl"),
                        "fetch it again"));
}

struct AnswerEquivalence : testing::Test {
  std::vector<Answer> read(const std::string& text) const {
    return read_answer_equivalence(folder_.write("train.jsonl", text));
  }

  TemporaryFolder folder_;
};

const std::string kCorrect =
    R"({"label": "correct", "reference": "r", "candidate": "c", "question": "q"})";
const std::string kIncorrect =
    R"({"label": "incorrect", "reference": "r/s", "candidate": "", "question": "q"})";

TEST_F(AnswerEquivalence, EveryLabelledRowIsARecord) {
  testing::internal::CaptureStderr();
  const auto answers = read(kCorrect + "\n" + kIncorrect + "\n");
  expect_contains(testing::internal::GetCapturedStderr(), "the labels 5 and 1");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].id, "1");
  EXPECT_EQ(answers[0].constituent, "answer_equivalence");
  EXPECT_EQ(answers[0].question, "q");
  EXPECT_EQ(answers[0].candidate, "c");
  EXPECT_EQ(answers[0].score, 5);
  EXPECT_EQ(answers[1].references, std::vector<std::string>{"r/s"});
  EXPECT_EQ(answers[1].candidate, "");
  EXPECT_EQ(answers[1].score, 1);
}

TEST_F(AnswerEquivalence, WhatIsWrongIsNamed) {
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = kCorrect;
    text.replace(text.find(from), from.size(), to);
    return input_error([&] { read(kCorrect + "\n" + text + "\n"); });
  };
  EXPECT_EQ(
      error("\"correct\"", "\"right\""),
      error_lines("the label must be \"correct\" or \"incorrect\", it is \"right\"",
                  folder_.file("train.jsonl") + ":2", "correct the label, or remove the row"));
  expect_contains(error("reference", "answer"), "\"reference\" is missing");
  expect_contains(error("\"c\"", "[\"c\"]"), "\"candidate\"");
  EXPECT_EQ(input_error([&] { read("\n"); }),
            error_lines("the file has no rows", folder_.file("train.jsonl"), "fetch it again"));
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
