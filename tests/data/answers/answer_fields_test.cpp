
#include <gtest/gtest.h>

#include "core/files/files.h"
#include "data/answers/answer_rows.h"
#include "messages.h"
#include "paths.h"
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
                        "name it: --field candidate=prediction\n        or --field "
                        "candidate=response"));
  for (const char* const row : {R"({"reference": "a", "answers": ["b"], "prediction": "c"})",
                                R"({"candidate": "a", "prediction": "b", "reference": "c"})",
                                R"({"context": "a", "passage": "b", "reference": "c"})",
                                R"({"gold": "a", "target": "b", "prediction": "c"})"}) {
    expect_contains(input_error([&] { completed(row); }), "\n        or --field ");
  }
  // The same twice is no question.
  EXPECT_EQ(completed(R"({"reference": ["a", "b"], "target": "['a', 'b']", "candidate": "c"})"),
            FieldNames());
  EXPECT_EQ(completed(R"({"reference": "42", "target": 42, "candidate": "c"})"), FieldNames());
}

// By what they hold, and by what is beside them.
TEST(AnswerFields, NamesAreTakenByTypeAndCompany) {
  const std::pair<const char*, FieldNames> cases[] = {
      {R"({"input": "q", "actual_output": "a", "expected_output": "b"})",
       {{"question", "input"}, {"candidate", "actual_output"}, {"reference", "expected_output"}}},
      {R"({"name": "t", "input": "q", "actualOutput": "a", "expectedOutput": "b"})",
       {{"question", "input"}, {"candidate", "actualOutput"}, {"reference", "expectedOutput"}}},
      {R"({"user_input": "q", "response": "a", "reference": "b", "retrieved_contexts": ["c"]})",
       {{"question", "user_input"}, {"candidate", "response"}}},
      {R"({"question": "q", "answer": "a", "ground_truths": ["b"], "contexts": ["c"]})",
       {{"candidate", "answer"}, {"reference", "ground_truths"}}},
      {R"({"qid": 7, "Golden Answer": "b", "model-answer": "a"})",
       {{"id", "qid"}, {"reference", "Golden Answer"}, {"candidate", "model-answer"}}},
      {R"({"mt": "a", "ref": "b"})", {{"candidate", "mt"}, {"reference", "ref"}}},
      {R"({"hyp": "a", "expected": "b"})", {{"candidate", "hyp"}, {"reference", "expected"}}},
      {R"({"answer": "a", "gold": "b"})", {{"candidate", "answer"}, {"reference", "gold"}}},
      {R"({"id": 1, "qid": 2, "pred": "a", "gold": "b"})",
       {{"candidate", "pred"}, {"reference", "gold"}}},
      // A text is a reference, a number is not, beside a reference or not.
      {R"({"prediction": "a", "label": "b"})",
       {{"candidate", "prediction"}, {"reference", "label"}}},
      {R"({"prediction": "a", "labels": ["b"]})",
       {{"candidate", "prediction"}, {"reference", "labels"}}},
      {R"({"prediction": "a", "gold": "b", "label": 1})",
       {{"candidate", "prediction"}, {"reference", "gold"}}},
      {R"({"prediction": "a", "label": 1})", {{"candidate", "prediction"}}},
      // A number beside a text is another thing.
      {R"({"prediction": 0.7, "response": "a", "gold": "b"})",
       {{"candidate", "response"}, {"reference", "gold"}}},
      {R"({"prediction": 7, "gold": 8})", {{"candidate", "prediction"}, {"reference", "gold"}}},
      {R"({"prediction": "a", "answers": [{"text": "b", "answer_start": 0}]})",
       {{"candidate", "prediction"}, {"reference", "answers.text"}}},
      {R"({"prediction": "a", "answers": []})",
       {{"candidate", "prediction"}, {"reference", "answers"}}},
      {R"({"doc_id": 0, "target": "b", "filtered_resps": "a"})",
       {{"candidate", "filtered_resps"}, {"reference", "target"}}},
      {R"({"output": {"completion": "a"}, "target": "b", "input": "q"})",
       {{"candidate", "output.completion"}, {"reference", "target"}, {"question", "input"}}},
      {R"({"input": [{"role": "user"}], "prediction": "a", "gold": "b"})",
       {{"candidate", "prediction"}, {"reference", "gold"}}},
  };
  for (const auto& [row, names] : cases) EXPECT_EQ(completed(row), names) << row;
  const auto labelled = [](const std::string& row) {
    const Json json = Json::parse(row, "row");
    return complete_names(std::span(&json, 1), {}, "", /*reads_label=*/true);
  };
  for (const char* const label : {"1", "true", "\"correct\"", "\"No\"", "\"4.5\""}) {
    const std::string rest = std::string(R"(, "label": )") + label + "}";
    EXPECT_EQ(labelled(R"({"candidate": "a", "reference": "b")" + rest),
              (FieldNames{{"score", "label"}}))
        << label;
    EXPECT_EQ(labelled(R"({"candidate": "a", "reference": "b", "score": 3)" + rest), FieldNames());
  }
  EXPECT_EQ(labelled(R"({"candidate": "a", "reference": "b", "label": "x"})"), FieldNames());
}

// The first rows tell together: of a table's column all of them.
TEST(AnswerFields, TheFirstRowsTellTypes) {
  const TemporaryFolder folder;
  const auto answers = [&](const std::string& name, const std::string& text) {
    const std::string file = folder.write(name, text);
    return read_answers(file, input_format("", file));
  };
  const auto texts = answers("texts.csv", "prediction,label\n1,1969\n2,Paris\n");
  EXPECT_EQ(texts[0].references, std::vector<std::string>{"1969"});
  const auto labels = answers("labels.csv", "prediction,gold,label\na,b,\na,b,1\nc,d,0\n");
  EXPECT_EQ(labels[0].score, std::nullopt);
  EXPECT_EQ(labels[2].score, 0);
  const auto later = answers("later.jsonl",
                             "{\"candidate\": null, \"gold\": \"\"}\n"
                             "{\"candidate\": \"a\", \"gold\": [\"b\"]}\n");
  EXPECT_EQ(later.size(), 2u);
}

TEST(AnswerFields, TheDocumentsPageIsUpToDate) {
  EXPECT_TRUE(holds(read_file(std::string(source_folder()) + "/docs/rows.md"), usual_names_page()))
      << "put this table into docs/rows.md:\n"
      << usual_names_page();
}

TEST(AnswerFields, TheFirstRowsDecide) {
  const TemporaryFolder folder;
  const std::string file = folder.write("rows.jsonl",
                                        "{\"prediction\": \"a\", \"target\": \"b\", \"context\": "
                                        "\"c\"}\n{\"response\": \"a\", \"target\": \"b\"}\n");
  expect_contains(input_error([&] { read_answers(file, InputFormat::kJsonl); }),
                  "the candidate may be any of the fields prediction, response");
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
  // A name behind a list takes that field of each item.
  const Json lists = Json::parse(
      R"({"answers": [{"text": "x", "in": {"y": 1}}, {"text": ["y", "z"]}], "none": []})", "row");
  EXPECT_EQ(find_field(lists, "answers.text")->dump(), R"(["x", "y", "z"])");
  EXPECT_EQ(find_field(lists, "none.text")->dump(), "[]");
  EXPECT_EQ(find_field(lists, "answers.in.y"), nullptr);  // the second has none
  EXPECT_EQ(find_field(lists, "answers.0.in.y")->number(), 1);
  for (const char* const path : {"a.c", "a.b.2", "a.b.-1", "a.b.x", "a..b", "", "."}) {
    EXPECT_EQ(find_field(row, path), nullptr) << path;
  }
}

}  // namespace
}  // namespace rubric::data
