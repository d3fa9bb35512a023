#include "data/answers/evouna.h"

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/system/log.h"
#include "data/reading.h"

namespace rubric::data::evouna_test {

using Evouna = Reading<read_evouna>;

const std::string kFirst =
    R"({"question": "who?", "golden_answer": "Ann / Anna Li/", "answer_mine": "Ann", )"
    R"("judge_mine": true, "answer_other": "Bob.", "judge_other": false, "improper": false})";
const std::string kImproper =
    R"({"question": "when?", "golden_answer": "now", "answer_mine": "x", "judge_mine": true, )"
    R"("improper": true})";
const std::string kUndecided =
    R"({"question": "where?", "golden_answer": "here", "answer_mine": "there", )"
    R"("judge_mine": null, "answer_third": "here", "judge_third": true, "improper": null})";

TEST_F(Evouna, EveryJudgedAnswerIsARecord) {
  std::vector<Answer> answers;
  const std::string told =
      stderr_of([&] { answers = read("[" + kFirst + "," + kImproper + "," + kUndecided + "]"); });
  expect_contains(told,
                  "3 answers; left out: 1 improper question of 3, 1 answer to the others without "
                  "a verdict; the verdicts true and false are the labels 5 and 1");
  // An id is the question's place, whatever is left out.
  EXPECT_EQ(
      rows_text(answers),
      R"({"id": "0", "constituent": "mine", "question": "who?", "reference": ["Ann", "Anna Li"], "candidate": "Ann", "score": 5}
{"id": "0", "constituent": "other", "question": "who?", "reference": ["Ann", "Anna Li"], "candidate": "Bob.", "score": 1}
{"id": "2", "constituent": "third", "question": "where?", "reference": "here", "candidate": "here", "score": 5}
)");
}

TEST_F(Evouna, ASystemMayHaveAnsweredNothing) {
  std::string text = kFirst;
  const auto answers = read("[" + text.replace(text.find("\"Bob.\""), 6, "null") + "]");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].candidate, "");
  EXPECT_EQ(answers[1].score, 1);
}

TEST_F(Evouna, WhatIsWrongIsNamed) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kFirst;
    return "[" + text.replace(text.find(from), from.size(), to) + "]";
  };
  EXPECT_EQ(error("{}"),
            error_lines("expected an array, found an object", file_,
                        "EVOUNA's files are [{question, golden_answer, answer_SYSTEM, …}]"));
  EXPECT_EQ(error("[" + kFirst + ", 3]"),
            error_lines("expected an object, found a number", file_ + ": question 2",
                        "give EVOUNA's file: an array of objects"));
  EXPECT_EQ(error(changed("true", "\"yes\"")),
            error_lines("the field \"judge_mine\" must be true, false or null, it is a string",
                        file_ + ": question 1", "write one of these"));
  expect_contains(error(changed("judge_mine", "judged_mine")), "\"judge_mine\" is missing");
  expect_contains(error(changed("answer_mine", "answered_mine")), "\"answer_mine\" is missing");
  expect_contains(error(changed("improper", "proper")), "\"improper\" is missing");
  expect_contains(error(changed("Ann / Anna Li/", " / ")), "golden_answer holds no answer");
  expect_contains(error(changed("\"Bob.\"", "3")), "\"answer_other\"");
  EXPECT_EQ(error("[" + kImproper + "]"),
            error_lines("the file has no judged answers", file_,
                        "give EVOUNA's file, with people's verdicts"));
}

// The counts of data/README.md and those that a program in Python gave.
TEST(EvounaRealData, HasTheCountsOfItsReadme) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  std::vector<Answer> answers;
  expect_contains(stderr_of([&] { answers = read_evouna(data + std::string("/evouna/NQ.json")); }),
                  "improper questions of 3610");
  std::map<std::string, int64_t> counts;
  for (const Answer& answer : answers) ++counts[answer.constituent];
  EXPECT_EQ(answers.size(), 15099u);
  EXPECT_EQ(
      counts,
      (std::map<std::string, int64_t>{
          {"chatgpt", 3020}, {"fid", 3020}, {"gpt35", 3020}, {"gpt4", 3020}, {"newbing", 3019}}));
}

}  // namespace rubric::data::evouna_test
