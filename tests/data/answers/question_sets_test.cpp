#include <gtest/gtest.h>

#include "data/answers/answer_file.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/nq_open.h"
#include "data/answers/predicted_answers.h"
#include "data/answers/squad.h"
#include "data/answers/text_lines.h"
#include "data/answers/trivia_qa.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::question_sets_test {

// As the official script, which normalises by NFD before it compares.
TEST(QuestionSets, NqOpenComparesDecomposedTexts) {
  const TemporaryFolder folder;
  const auto data =
      folder.write("nq.jsonl", "{\"question\": \"q\", \"answer\": [\"Beyonc\u00E9\"]}\n");
  const auto predictions = folder.write("p.json", "{\"q\": \"Beyonce\u0301\"}");
  MissingValues missing;
  const std::vector<Answer> answers = read_nq_open(data, predictions, missing);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].candidate, "Beyonce\u0301");
  EXPECT_EQ(answers[0].references[0], answers[0].candidate);
}

TEST(QuestionSets, TriviaQaCountsVerifiedQuestionsAndRefusesTheWeb) {
  const TemporaryFolder folder;
  const auto question = [](const char* id, const char* verified) {
    return std::string(R"({"QuestionId": ")") + id +
           R"(", "Question": "q", "Answer": {"NormalizedAliases": ["a"]}, )" +
           R"("QuestionPartOfVerifiedEval": )" + verified + "}";
  };
  const std::string rows = question("1", "true") + ", " + question("2", "false") + "]}";
  const auto predictions = folder.write("p.json", R"({"1": "a", "2": "b"})");
  const auto read = [&](const std::string& start) {
    MissingValues missing;
    return read_trivia_qa(folder.write("t.json", start + rows), predictions, missing);
  };
  EXPECT_EQ(read(R"({"Data": [)").size(), 2U);
  const auto verified = read(R"({"VerifiedEval": true, "Data": [)");
  ASSERT_EQ(verified.size(), 1U);
  EXPECT_EQ(verified[0].id, "1");
  expect_contains(input_error([&] { read(R"({"Domain": "Web", "Data": [)"); }), "domain Web");
}

// Samples of lm-evaluation-harness are rows: names, missing values and lists have the rules of all.
TEST(QuestionSets, SamplesOfLmEvalAreRows) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& target, const std::string& responses,
                        Missing missing = Missing::automatic, const std::string& others = "") {
    const std::string sample = R"({"doc_id": 0, "filter": "f", "target": )" + target +
                               R"(, "filtered_resps": )" + responses + "}\n";
    return read_answers(folder.write("samples.jsonl", sample + others), InputFormat::kJsonl, {},
                        {.missing = missing});
  };
  using Texts = std::vector<std::string>;
  for (const char* const responses : {R"([["a"]])", R"(["a"])", R"("a")"}) {
    const Answer sample = read("\"1\"", responses).front();
    EXPECT_EQ(sample.candidate, "a");
    EXPECT_EQ(sample.id, "0");
    EXPECT_EQ(sample.constituent, "f");
  }
  EXPECT_EQ(read(R"("['a', 'b']")", R"(["a"])").front().references, (Texts{"a", "b"}));
  EXPECT_EQ(read(R"("{\"a\": 1}")", R"(["a"])").front().references, Texts{"{\"a\": 1}"});
  for (const char* const none : {"[]", "\"[]\""}) {
    EXPECT_EQ(read(none, R"(["a"])").front().references, Texts{""});
  }
  EXPECT_EQ(read("null", R"(["a"])", Missing::empty).front().references, Texts{""});
  const std::string answered =
      R"({"doc_id": 1, "filter": "f", "target": "1", "filtered_resps": ["1"]})";
  for (const char* const none : {"[]", "[null]", "null"}) {
    EXPECT_EQ(read("\"1\"", none, Missing::automatic, answered).front().candidate, "");
    expect_contains(input_error([&] { read("\"1\"", none); }), "no row has a candidate");
    expect_contains(input_error([&] { read("\"1\"", none, Missing::drop); }), "no rows");
  }
  expect_contains(input_error([&] { read("\"cat\"", R"(["dog", "cat"])"); }),
                  "--field candidate=filtered_resps.0");
  // The log-likelihood of a choice and whether it is greedy, both texts, as the harness logs them.
  for (const char* const responses :
       {R"([["-5.43", "False"], ["-3.2", "True"]])", "[[-1.5, false]]"}) {
    expect_contains(input_error([&] { read("\"1\"", responses); }),
                    "the field \"filtered_resps\" must be a text, it is a list of 2");
  }
}

// A prediction that is dropped takes its question with it.
TEST(QuestionSets, DroppedPredictionsAreNotScored) {
  const TemporaryFolder folder;
  std::string questions;
  for (const char* const id : {"a", "b"}) {
    questions += std::string(questions.empty() ? "" : ", ") + R"({"id": ")" + id +
                 R"(", "question": "q", "answers": [{"text": "cat"}]})";
  }
  const std::string file =
      folder.write("squad.json",
                   R"({"data": [{"paragraphs": [{"context": "c", "qas": [)" + questions + "]}]}]}");
  const std::string predictions = folder.write("predictions.json", R"({"a": null, "b": "cat"})");
  const auto read = [&](Missing missing, const std::string& predicted) {
    const RowSelection selection = {.options = {.missing = missing, .predictions = predicted}};
    return AnswerFile(file, kSquad, {}, selection);
  };
  const std::string table = folder.write("predictions.csv", "id,prediction\na,\nb,cat\n");
  for (const std::string& file_of : {predictions, table}) {
    const AnswerFile dropped = read(Missing::drop, file_of);
    ASSERT_EQ(dropped.records().size(), 1u);
    EXPECT_EQ(dropped.records()[0].id, "b");
    EXPECT_EQ(dropped.signature(), "|missing:drop");
    const AnswerFile kept = read(Missing::empty, file_of);
    EXPECT_EQ(kept.records().size(), 2u);
    EXPECT_EQ(kept.signature(), "");
  }
  const RowSelection lines = {
      .options = {.missing = Missing::drop,
                  .references = {folder.write("references.txt", "cat\n\n")}}};
  EXPECT_EQ(AnswerFile(folder.write("lines.txt", "cat\ndog\n"), kTextLines, {}, lines).signature(),
            "|missing:drop");
}

TEST(QuestionSets, BlanksAtTheEndsOfIdsDoNotCount) {
  const TemporaryFolder folder;
  const std::string file = folder.write("squad.json", R"({"data": [{"paragraphs": [{"context": "c",
      "qas": [{"id": "a ", "question": "q", "answers": [{"text": "cat"}]},
              {"id": "b", "question": "q", "answers": [{"text": "dog"}]}]}]}]})");
  for (const std::string predictions : {folder.write("p.json", R"({"a": "cat", " b": "dog"})"),
                                        folder.write("p.csv", "id,prediction\n a,cat\nb ,dog\n")}) {
    const AnswerFile answers(file, kSquad, {}, {.options = {.predictions = predictions}});
    ASSERT_EQ(answers.records().size(), 2u);
    EXPECT_EQ(answers.records()[0].candidate, "cat") << predictions;
    EXPECT_EQ(answers.records()[1].candidate, "dog") << predictions;
  }
}

// The first row alone does not tell which field holds the predictions.
TEST(QuestionSets, TheFirstRowsTellTheFieldOfPredictions) {
  const TemporaryFolder folder;
  const std::string predictions = folder.write("predictions.jsonl",
                                               R"({"id": "a", "prediction": 7, "response": 7}
{"id": "b", "prediction": 0.5, "response": "cat"})");
  MissingValues missing;
  const PredictedTexts texts = read_predicted_answers(predictions, "id", missing);
  EXPECT_EQ(texts, (PredictedTexts{{"a", "7"}, {"b", "cat"}}));
}

// {ID: text} in any form of JSON, whatever the file is called, and what lacks a prediction
// anywhere.
TEST(QuestionSets, PredictionsAreKnownByTheirContent) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& name, const std::string& text) {
    MissingValues missing;
    return read_predicted_answers(folder.write(name, text), "id", missing);
  };
  const PredictedTexts texts = {{"a", "7"}, {"b", "cat"}};
  for (const char* const name : {"p.json", "p.jsonl", "p.txt", "p"}) {
    for (const char* const text :
         {R"({"a": "7", "b": "cat"})", "{\n \"a\": 7,\n \"b\": \"cat\"\n}",
          "{\"a\": \"7\"}\n{\"b\": \"cat\"}\n", R"([{"a": "7"}, {"b": "cat"}])",
          "{\"id\": \"b\", \"response\": \"cat\"}\n{\"a\": 7}\n"}) {
      EXPECT_EQ(read(name, text), texts) << name << text;
    }
    EXPECT_EQ(read(name, R"({"id": "a", "prediction": "7"})"), (PredictedTexts{{"a", "7"}}));
  }
  for (const char* const text : {"{\"id\": \"a\"}\n{\"id\": \"b\", \"prediction\": \"cat\"}\n",
                                 "{\"id\": \"b\", \"prediction\": \"cat\"}\n{\"id\": \"a\"}\n"}) {
    EXPECT_EQ(read("p.jsonl", text), (PredictedTexts{{"a", ""}, {"b", "cat"}}));
  }
  expect_contains(input_error([&] { read("p.jsonl", "{\"id\": 1}\n{\"id\": 2}\n"); }), "p.jsonl:1");
  expect_contains(input_error([&] { read("p.jsonl", "{\"a\": [\"x\", \"y\"]}\n{\"b\": 1}\n"); }),
                  "p.jsonl:1: \"a\"");
  expect_contains(input_error([&] { read("p.jsonl", "{\"a\": \"x\"}\n{\"a\": \"y\"}\n"); }),
                  "a second prediction for \"a\"");
  // Ids that are usual names of fields, one a line; fields of rows repeat.
  EXPECT_EQ(read("p.jsonl", "{\"q1\": \"dog\"}\n{\"answer\": \"cat\"}\n"),
            (PredictedTexts{{"q1", "dog"}, {"answer", "cat"}}));
  expect_contains(
      input_error([&] { read("p.jsonl", "{\"answer\": \"a\"}\n{\"answer\": \"b\"}\n"); }),
      "the row has no \"id\"");
}

// As of rows: the predictions are elsewhere.
TEST(QuestionSets, PredictionsThatAreAllMissingAreAnError) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : {std::pair("p.json", R"({"q1": null, "q2": null})"),
                                   {"p.csv", "id,prediction\nq1,\nq2,\n"}}) {
    const auto file = folder.write(name, text);
    MissingValues none, empty(Missing::empty);
    const std::string message = input_error([&] { read_predicted_answers(file, "id", none); });
    expect_contains(message, "no row has a candidate");
    EXPECT_EQ(message.find("--field"), std::string::npos) << message;  // which names no predictions
    EXPECT_EQ(read_predicted_answers(file, "id", empty).size(), 2u);
  }
}

// Tasks number their documents from 0.
TEST(QuestionSets, SamplesOfTasksAreDistinguished) {
  EXPECT_EQ(sample_constituent(Json::parse(R"({"filter": "strict"})", "")), "strict");
  EXPECT_EQ(sample_constituent(Json::parse(R"({"task": "sums", "filter": "strict"})", "")),
            "sums/strict");
  EXPECT_EQ(sample_constituent(Json::parse(R"({"task": 5, "filter": null})", "")), "");
}

}  // namespace rubric::data::question_sets_test
