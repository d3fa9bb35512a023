// What of a judge's reply is its answer: the text after its thinking, and JSON by its keys.
#include "judge/verdicts/reply.h"

#include <string>

#include <gtest/gtest.h>

#include "judge/verdicts/verdicts.h"

namespace rubric::judge {
namespace {

const std::optional<Verdicts> kNoVerdicts;
const std::optional<Verdicts> kFirstAlone = Verdicts{true, false, false, false};

TEST(AnswerText, IsWhatFollowsTheThinking) {
  for (const char* reply :
       {"answer", "<think>Agree</think>answer", "<THINK>\nx\n</Think>\n\nanswer\n",
        "no opening tag</think> answer", "<thinking>x</thinking>answer",
        "<think>a</think>b<think>c</think>answer", "[THINK]x[/THINK]answer", "answer <think>cut",
        "<reasoning>x</reasoning>answer", "◁think▷x◁/think▷answer",
        "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>answer",
        "<think>quotes <thinking></thinking> inside</think>answer"}) {
    EXPECT_EQ(answer_text(reply), "answer") << reply;
  }
  for (const char* reply : {"", "<think>Agree", "<think>Agree</think>", " <thinking>\nAgree",
                            "<think>a</think><think>Agree"}) {
    EXPECT_EQ(answer_text(reply), "") << reply;
  }
}

TEST(AnswerText, EndsInThinkingWhereNoTagEndsIt) {
  EXPECT_TRUE(ends_in_thinking("<think>Agree"));
  EXPECT_TRUE(ends_in_thinking("<think>a</think> b <think>c"));
  EXPECT_FALSE(ends_in_thinking("<think>Agree</think>"));
  EXPECT_FALSE(ends_in_thinking("Agree</think>"));
  EXPECT_FALSE(ends_in_thinking("Agree"));
}

TEST(AnswerText, ThinkingCountsForNoParser) {
  const std::string thinking = "<think>1. Agree 2. Agree 3. Agree 4. Agree</think>\n";
  const std::string answer = "1. Agree\n2. Disagree\n3. Disagree\n4. Disagree";
  for (const VerdictParser parser : {VerdictParser::published, VerdictParser::strict}) {
    EXPECT_EQ(read_verdicts(thinking + answer, parser), kFirstAlone);
    EXPECT_EQ(read_verdicts(thinking, parser), kNoVerdicts);
    EXPECT_EQ(read_verdicts("<think>" + answer, parser), kNoVerdicts);
  }
  EXPECT_EQ(read_preference("<think>Is it A?</think>\nB"), Preference::b);
  EXPECT_EQ(read_preference("<think>So: A"), std::nullopt);
}

std::optional<Verdicts> both(const std::string& reply) {
  const auto published = published_verdicts(reply);
  EXPECT_EQ(published, strict_verdicts(reply)) << reply;
  return published;
}

TEST(JsonVerdicts, AreReadByTheirKeys) {
  for (
      const char* reply :
      {R"({"extraneous": "Disagree", "irrelevant": "Disagree", "helpful": "Disagree", "correct": "Agree"})",
       R"({"E": "Disagree", "I": "Disagree", "H": "Disagree", "C": "Agree"})",
       R"({"4": "disagree", "3": "disagree", "2": "disagree", "1": "agree"})",
       R"({"is_correct": true, "isHelpful": false, "irrelevancy": false, "extraneousness": false})",
       R"({"q2": 0, "q1": 1, "q3": 0, "q4": 0})",
       R"({"reason": "I agree.", "verdicts": {"H": "No", "C": "Yes", "I": "no", "E": "no"}})",
       R"({"correctness": {"reason": "They Disagree on 3.", "verdict": "Agree"},
            "helpfulness": {"verdict": "Disagree"}, "irrelevancy": {"verdict": "I do not agree"},
            "extraneousness": {"verdict": "Disagree"}})",
       R"(["Agree", "Disagree", "Disagree", "Disagree"])",
       R"([{"criterion": "extraneous", "verdict": "Disagree"}, {"criterion": 1, "verdict": "Agree"},
            {"criterion": 3, "verdict": "Disagree"}, {"criterion": 2, "verdict": "Disagree"}])"}) {
    EXPECT_EQ(both(reply), kFirstAlone) << reply;
    EXPECT_EQ(both("Here it is:\n```json\n" + std::string(reply) + "\n```\nDo you Agree?"),
              kFirstAlone);
    EXPECT_EQ(both("<think>{\"C\": \"Disagree\"}</think>" + std::string(reply)), kFirstAlone);
  }
  EXPECT_EQ(
      both(R"(My verdicts: {"E": "Disagree", "I": "Disagree", "H": "Disagree", "C": "Agree"}.)"),
      kFirstAlone);
}

TEST(JsonVerdicts, AreNoneWhereAKeyOrAValueIsUnclear) {
  for (const char* reply :
       {R"({"a": "Agree", "b": "Disagree", "d": "Disagree", "f": "Disagree"})",
        R"({"C": "Agree", "H": "Disagree", "I": "Disagree"})",
        R"({"C": "Agree", "correct": "Agree", "H": "Disagree", "I": "Disagree", "E": "Disagree"})",
        R"({"C": "Agree", "H": "maybe", "I": "Disagree", "E": "Disagree"})",
        R"({"incorrect": "Agree", "H": "Disagree", "I": "Disagree", "E": "Disagree"})",
        R"({"C": 3, "H": 0, "I": 0, "E": 0})", R"({"C": "Agree", "H": "Disagree", "I": "Disag)",
        R"({"C": "Agree", "C": "Agree", "H": "Disagree", "I": "Disagree"})",
        R"(["Agree", "Disagree", "Disagree"])"}) {
    EXPECT_EQ(both(reply), kNoVerdicts) << reply;
  }
}

TEST(JsonVerdicts, BracesInASentenceAreText) {
  EXPECT_EQ(published_verdicts("Of {308} and {}: Agree Disagree Disagree Disagree"), kFirstAlone);
  EXPECT_EQ(published_verdicts("[1] Agree\n[2] Disagree\n[3] Disagree\n[4] Disagree"), kFirstAlone);
}

TEST(JsonPreference, IsReadByItsKey) {
  EXPECT_EQ(read_preference(R"({"winner": "A", "reason": "shorter than: B"})"), Preference::a);
  EXPECT_EQ(read_preference(R"({"second": "A", "preference": "B"})"), Preference::b);
  EXPECT_EQ(read_preference(R"({"preference": "A", "second": "B"})"), Preference::a);
  EXPECT_EQ(read_preference("```json\n{\"verdict\": \"tie\"}\n```"), Preference::tie);
  EXPECT_EQ(read_preference(R"({"winner": "A", "preference": "B"})"), std::nullopt);
  EXPECT_EQ(read_preference(R"({"first": "A"})"), std::nullopt);
}

}  // namespace
}  // namespace rubric::judge
