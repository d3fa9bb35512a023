// What a judge is asked, and the key of it.
#include "judge/request.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::judge::request_test {

data::Answer example() {
  data::Answer answer;
  answer.passage = "They gave up 308 points.";
  answer.question = "How many?";
  answer.references = {"308", "three hundred"};
  answer.candidate = "It is \"308\".";
  return answer;
}

TEST(JudgeMessages, AreTheAuthors) {
  const std::string prompt = read_judge_prompt(default_judge_prompt());
  const std::vector<Message> messages = judge_messages(prompt, example());
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].role, "system");
  EXPECT_EQ(messages[0].content, prompt);
  EXPECT_EQ(messages[1].role, "user");
  EXPECT_EQ(messages[1].content,
            "Passage: They gave up 308 points.\nQuestion: How many?\nReference Answer: \"308\"\n"
            "Prediction Answer: \"It is \"308\".\"\n");
  ASSERT_EQ(judge_messages("", example()).size(), 1u);
  EXPECT_EQ(judge_messages("", example())[0].role, "user");
}

TEST(JudgeMessages, OfAnotherPromptHaveAllReferencesAndPerhapsNoPassage) {
  data::Answer answer = example();
  EXPECT_EQ(judge_messages("Judge!", answer)[1].content,
            "Passage: They gave up 308 points.\nQuestion: How many?\nReference Answer 1: \"308\"\n"
            "Reference Answer 2: \"three hundred\"\nPrediction Answer: \"It is \"308\".\"\n");
  answer.passage = "";
  answer.references = {"308"};
  EXPECT_EQ(judge_messages("Judge!", answer)[1].content,
            "Question: How many?\nReference Answer: \"308\"\nPrediction Answer: \"It is "
            "\"308\".\"\n");
}

TEST(JudgePrompt, OfChieIsKnownByItsText) {
  EXPECT_TRUE(is_chie_prompt(read_judge_prompt(default_judge_prompt())));
  EXPECT_TRUE(is_chie_prompt(""));
  EXPECT_FALSE(is_chie_prompt(read_judge_prompt(default_preference_prompt())));
  EXPECT_FALSE(is_chie_prompt("Judge!"));
}

TEST(JudgePrompt, OfRubricAndOfChieNeedsThePassage) {
  EXPECT_TRUE(needs_passage(read_judge_prompt(default_judge_prompt())));
  EXPECT_TRUE(needs_passage(read_judge_prompt(default_preference_prompt())));
  EXPECT_TRUE(needs_passage(""));
  EXPECT_FALSE(needs_passage("Compare with the references."));
  EXPECT_FALSE(needs_passage("You see no passage: judge by the question."));
}

TEST(RequestKey, DependsOnJudgeParametersAndMessages) {
  const std::string none = "{}", warm = R"({"temperature": 0.2})";
  const std::vector<Message> messages = judge_messages("Judge!", example());
  const std::string key = request_key("gpt", none, messages);
  EXPECT_EQ(key, sha256(R"({"model": "gpt", "parameters": {}, "messages": [{"role": "system", )"
                        R"("content": "Judge!"}, {"role": "user", "content": )" +
                        json_quote(messages[1].content) + "}]}"));
  EXPECT_NE(request_key("gpt-4", none, messages), key);
  EXPECT_NE(request_key("gpt", warm, messages), key);
  EXPECT_NE(request_key("gpt", none, judge_messages("Judge?", example())), key);
}

TEST(JudgePrompt, IsAFileOrWhatAResultQuotes) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_judge_prompt(folder.write("plain.txt", "Judge.\n\n1. Is it right?\r\n\n")),
            "Judge.\n\n1. Is it right?");
  EXPECT_EQ(read_judge_prompt(folder.write("result.txt",
                                           "XQuAD score\n----\nF1: 1\n\nModel: gpt-4\nSystem "
                                           "prompt:\nJudge.\n1. Is it right?\n\nmodel\nq1: 3\n")),
            "Judge.\n1. Is it right?");
  EXPECT_EQ(read_judge_prompt(folder.write("saved.txt",
                                           "\xEF\xBB\xBFXQuAD score\r\n\r\nSystem prompt:\r\n"
                                           "Judge.\r\n1. Is it right?\r\n\r\nmodel\r\n")),
            "Judge.\n1. Is it right?");
  const auto refused = [&](const std::string& text) {
    return input_error([&] { read_judge_prompt(folder.write("bad.txt", text)); });
  };
  expect_contains(refused(" \n"), "the prompt is empty");
  expect_contains(refused("XQuAD score\nF1: 1\n"), "quotes no prompt");
  expect_contains(refused("\xff"), "not UTF-8");
}

TEST(JudgePrompt, OfAPublishedResult) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string chie = std::string(data) + "/chie";
  const std::string prompt = read_judge_prompt(chie + "/en/result-eval-gpt-4-SeaLLM-7B-v2.txt");
  EXPECT_TRUE(prompt.starts_with("Please evaluate these answers"));
  EXPECT_TRUE(prompt.ends_with("indicate conjecture or assumption."));
  EXPECT_TRUE(is_chie_prompt(prompt));
  EXPECT_EQ(read_judge_prompt(chie + "/th/result-eval-gpt-4-Meta-Llama-3-8B-Instruct.txt"), prompt);
}

}  // namespace rubric::judge::request_test
