
#include <gtest/gtest.h>

#include "data/answers/answer_rows.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

FieldNames completed(const std::string& row, const FieldNames& names = {}) {
  return complete_names(Json::parse(row, "row"), names, "file:1");
}

TEST(AnswerFields, UsualNamesAreFound) {
  EXPECT_EQ(completed(R"({"candidate": "a", "reference": "b", "passage": "c", "question": "d"})"),
            FieldNames());
  EXPECT_EQ(
      completed(R"({"Prediction": "a", "golden_answers": ["b"], "context": "c"})"),
      (FieldNames{
          {"candidate", "Prediction"}, {"reference", "golden_answers"}, {"passage", "context"}}));
  // A row of SQuAD as Hugging Face has it, and one of lm-evaluation-harness.
  EXPECT_EQ(completed(R"({"response": "a", "answers": {"text": ["b"], "answer_start": [0]}})"),
            (FieldNames{{"candidate", "response"}, {"reference", "answers.text"}}));
  EXPECT_EQ(completed(R"({"doc_id": 0, "doc": {"question": "q"}, "target": "b",
                          "resps": [["a"]], "filtered_resps": ["a"]})"),
            (FieldNames{{"candidate", "filtered_resps.0"},
                        {"reference", "target"},
                        {"question", "doc.question"}}));
}

TEST(AnswerFields, OursAreFoundInAnyCaseOfLetters) {
  EXPECT_EQ(
      completed(R"({"Question": "q", "PASSAGE": "p", "Candidate": "a", "reference": "b"})"),
      (FieldNames{{"candidate", "Candidate"}, {"passage", "PASSAGE"}, {"question", "Question"}}));
}

// Texts that look like numbers stay as they are, or references would differ from candidates.
TEST(AnswerFields, OnlyNumbersGetPointsForDecimalCommas) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "rows.csv", "Reference;prediction;Antwort;score\n1,000;1,000;0,5;0,5\n2,5;2,5;7;1\n");
  std::vector<Answer> answers = read_answers(file, InputFormat::kCsv);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].references[0], "1,000");
  EXPECT_EQ(answers[0].candidate, "1,000");
  EXPECT_EQ(answers[0].score, 0.5);
  answers = read_answers(file, InputFormat::kCsv, {{"candidate", "Antwort"}});
  EXPECT_EQ(answers[0].candidate, "0,5");
}

TEST(AnswerFields, AnAnswerIsWhatNothingElseIs) {
  EXPECT_EQ(completed(R"({"answer": "a", "ground_truth": "b"})"),
            (FieldNames{{"candidate", "answer"}, {"reference", "ground_truth"}}));
  EXPECT_EQ(completed(R"({"answer": "b", "prediction": "a"})"),
            (FieldNames{{"candidate", "prediction"}, {"reference", "answer"}}));
  EXPECT_EQ(completed(R"({"answer": "b"})"), FieldNames());
  EXPECT_EQ(completed(R"({"answer": "b", "candidate": "a", "reference": "c"})"), FieldNames());
}

TEST(AnswerFields, GivenNamesComeFirst) {
  EXPECT_EQ(completed(R"({"prediction": "a", "response": "b", "target": "c"})",
                      {{"candidate", "response"}}),
            (FieldNames{{"candidate", "response"}, {"reference", "target"}}));
}

TEST(AnswerFields, SeveralUsualNamesAreAnError) {
  EXPECT_EQ(input_error([] { completed(R"({"prediction": "a", "response": "b"})"); }),
            error_lines("the candidate may be any of the fields prediction, response", "file:1",
                        "name it: --field candidate=prediction"));
}

TEST(AnswerFields, TheFirstRowDecides) {
  const TemporaryFolder folder;
  const std::string file = folder.write("rows.jsonl",
                                        "{\"prediction\": \"a\", \"target\": \"b\", \"context\": "
                                        "\"c\"}\n{\"response\": \"a\", \"target\": \"b\"}\n");
  expect_contains(input_error([&] { read_answers(file, InputFormat::kJsonl); }),
                  "\"prediction\" is missing\n  where: " + file + ":2");
  // What an answer may lack, a row may.
  const std::string without =
      folder.write("without.jsonl",
                   "{\"candidate\": \"a\", \"target\": \"b\", \"context\": \"c\"}\n"
                   "{\"candidate\": \"a\", \"target\": \"b\"}\n");
  EXPECT_EQ(read_answers(without, InputFormat::kJsonl)[1].passage, "");
}

TEST(AnswerFields, PathsLeadIntoObjectsAndArrays) {
  const Json row = Json::parse(R"({"a": {"b": [1, {"c": "x"}]}, "a.b": "whole"})", "row");
  EXPECT_EQ(find_field(row, "a.b")->string(), "whole");
  EXPECT_EQ(find_field(row, "a.b.1.c")->string(), "x");
  EXPECT_EQ(find_field(row, "a.b.0")->number(), 1);
  for (const char* const path : {"a.c", "a.b.2", "a.b.-1", "a.b.x", "a..b", "", "."}) {
    EXPECT_EQ(find_field(row, path), nullptr) << path;
  }
}

}  // namespace
}  // namespace rubric::data
