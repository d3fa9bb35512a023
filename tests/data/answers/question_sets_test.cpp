#include <gtest/gtest.h>

#include "data/answers/lm_eval.h"
#include "data/answers/nq_open.h"
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

// The log-likelihood of a choice and whether it is greedy, both texts, as the harness logs them.
TEST(QuestionSets, LmEvalRefusesTheLikelihoodsOfChoices) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& responses) {
    return read_lm_eval(folder.write(
        "samples.jsonl", R"({"doc_id": 0, "target": "1", "filtered_resps": )" + responses + "}\n"));
  };
  EXPECT_EQ(read(R"([["a"]])").front().candidate, "a");
  EXPECT_EQ(read(R"(["a", "b"])").front().candidate, "a");
  for (const char* const responses :
       {R"([["-5.43", "False"], ["-3.2", "True"]])", "[[-1.5, false]]", "[[]]", R"([[["a"]]])"}) {
    expect_contains(input_error([&] { read(responses); }), "the response must be a text");
  }
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
