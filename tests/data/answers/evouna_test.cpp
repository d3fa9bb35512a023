#include "data/answers/evouna.h"

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/system/log.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::evouna_test {

struct Evouna : testing::Test {
  std::vector<Answer> read(const std::string& text) const {
    return read_evouna(folder_.write("NQ.json", text));
  }
  std::string error(const std::string& text) const {
    return input_error([&] { read(text); });
  }
  std::string where(int question) const {
    return folder_.file("NQ.json") + ": question " + std::to_string(question);
  }

  TemporaryFolder folder_;
};

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
  testing::internal::CaptureStderr();
  const std::vector<Answer> answers = read("[" + kFirst + "," + kImproper + "," + kUndecided + "]");
  expect_contains(testing::internal::GetCapturedStderr(),
                  "3 answers; left out: 1 improper question of 3, 1 answer to the others without "
                  "a verdict; the verdicts true and false are the labels 5 and 1");
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0].id, "0");
  EXPECT_EQ(answers[0].constituent, "mine");
  EXPECT_EQ(answers[0].passage, "");
  EXPECT_EQ(answers[0].question, "who?");
  EXPECT_EQ(answers[0].references, (std::vector<std::string>{"Ann", "Anna Li"}));
  EXPECT_EQ(answers[0].candidate, "Ann");
  EXPECT_EQ(answers[0].score, 5);
  EXPECT_EQ(answers[1].constituent, "other");
  EXPECT_EQ(answers[1].candidate, "Bob.");
  EXPECT_EQ(answers[1].score, 1);
  EXPECT_EQ(answers[2].id, "2");  // the question's place, whatever is left out
  EXPECT_EQ(answers[2].constituent, "third");
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
            error_lines("expected an array, found an object", folder_.file("NQ.json"),
                        "EVOUNA's files are [{question, golden_answer, answer_SYSTEM, …}]"));
  EXPECT_EQ(error("[" + kFirst + ", 3]"),
            error_lines("expected an object, found a number", where(2),
                        "give EVOUNA's file: an array of objects"));
  EXPECT_EQ(error(changed("true", "\"yes\"")),
            error_lines("the field \"judge_mine\" must be true, false or null, it is a string",
                        where(1), "write one of these"));
  expect_contains(error(changed("judge_mine", "judged_mine")), "\"judge_mine\" is missing");
  expect_contains(error(changed("answer_mine", "answered_mine")), "\"answer_mine\" is missing");
  expect_contains(error(changed("improper", "proper")), "\"improper\" is missing");
  expect_contains(error(changed("Ann / Anna Li/", " / ")), "golden_answer holds no answer");
  expect_contains(error(changed("\"Bob.\"", "3")), "\"answer_other\"");
  EXPECT_EQ(error("[" + kImproper + "]"),
            error_lines("the file has no judged answers", folder_.file("NQ.json"),
                        "give EVOUNA's file, with people's verdicts"));
}

// The counts of data/README.md and those that a program in Python gave.
TEST(EvounaRealData, HasTheCountsOfItsReadme) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  testing::internal::CaptureStderr();
  const auto answers = read_evouna(std::filesystem::path(data) / "evouna" / "NQ.json");
  expect_contains(testing::internal::GetCapturedStderr(), "improper questions of 3610");
  std::map<std::string, int64_t> counts;
  for (const Answer& answer : answers) ++counts[answer.constituent];
  EXPECT_EQ(answers.size(), 15099u);
  EXPECT_EQ(
      counts,
      (std::map<std::string, int64_t>{
          {"chatgpt", 3020}, {"fid", 3020}, {"gpt35", 3020}, {"gpt4", 3020}, {"newbing", 3019}}));
}

}  // namespace rubric::data::evouna_test
