#include <gtest/gtest.h>

#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/nq_open.h"
#include "data/answers/squad.h"
#include "data/answers/trivia_qa.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

// As the official script, which normalises by NFD before it compares.
TEST(QuestionSets, NqOpenComparesDecomposedTexts) {
  const TemporaryFolder folder;
  const auto data =
      folder.write("nq.jsonl", "{\"question\": \"q\", \"answer\": [\"Beyonc\u00E9\"]}\n");
  const auto predictions = folder.write("p.json", "{\"q\": \"Beyonce\u0301\"}");
  const std::vector<Answer> answers = read_nq_open(data, predictions);
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
    return read_trivia_qa(folder.write("t.json", start + rows), predictions);
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
                        Missing missing = Missing::automatic) {
    const std::string sample = R"({"doc_id": 0, "filter": "f", "target": )" + target +
                               R"(, "filtered_resps": )" + responses + "}\n";
    return read_answers(folder.write("samples.jsonl", sample), InputFormat::kJsonl, {},
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
  for (const char* const none : {"[]", "[null]", "null"}) {
    EXPECT_EQ(read("\"1\"", none).front().candidate, "");
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
  const std::vector<Answer> dropped = read_squad(file, predictions, Missing::drop);
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].id, "b");
  EXPECT_EQ(read_squad(file, predictions, Missing::empty).size(), 2u);
}

// Tasks number their documents from 0.
TEST(QuestionSets, SamplesOfTasksAreDistinguished) {
  EXPECT_EQ(sample_constituent(Json::parse(R"({"filter": "strict"})", "")), "strict");
  EXPECT_EQ(sample_constituent(Json::parse(R"({"task": "sums", "filter": "strict"})", "")),
            "sums/strict");
  EXPECT_EQ(sample_constituent(Json::parse(R"({"task": 5, "filter": null})", "")), "");
}

}  // namespace
}  // namespace rubric::data
