// What of a judge's reply is its answer: the text after its thinking, and JSON by its keys.
#include "judge/verdicts/reply.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "judge/verdicts/verdicts.h"

namespace rubric::judge {
namespace {

const std::optional<Verdicts> kNoVerdicts;
const std::optional<Verdicts> kFirstAlone = Verdicts{true, false, false, false};

TEST(AnswerText, IsWhatFollowsTheThinking) {
  for (const char* reply :
       {"answer",
        "<think>Agree</think>answer",
        "<THINK>\nx\n</Think>\n\nanswer\n",
        "no opening tag</think> answer",
        "<thinking>x</thinking>answer",
        "[THINK]x[/THINK]answer",
        "answer <think>cut",
        "<reasoning>x</reasoning>answer",
        "◁think▷x◁/think▷answer",
        "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>answer",
        "<think>quotes <thinking></thinking> inside</think>answer",
        "<seed:think>x</seed:think>answer",
        "<think type=\"x\">x</think>answer",
        "<|START_THINKING|>x<|END_THINKING|>answer",
        "<analysis>x</analysis>answer",
        "<|begin_of_thought|>x<|end_of_thought|>answer",
        "<scratchpad>x</scratchpad>\nanswer",
        "<inner_thoughts>x</inner_thoughts>answer",
        "<chain-of-thought>x</chain-of-thought>answer",
        "<unused94>thought x<unused95>answer",
        "<reflection>x</reflection>answer",
        "< think >x</ think >answer",
        "<｜think｜>x<｜/think｜>answer",
        "&lt;think&gt;x&lt;/think&gt;answer",
        "analysisWe need to judge.assistantfinalanswer",
        "<think/>answer"}) {
    EXPECT_EQ(answer_text(reply), "answer") << reply;
  }
  for (const char* reply :
       {"", "<think>Agree", "<think>Agree</think>", " <thinking>\nAgree",
        "<think>a</think><think>Agree", "<seed:think>Agree", "<|START_THINKING|>Agree",
        "<analysis>Agree", "<scratchpad>\nAgree", "<think type=\"x\">Agree",
        "<reasoning_content>Agree", "<|channel|>analysis<|message|>Agree",
        "<think effort=\"high\">Agree", "< think >Agree", "<reflection>Agree", "&lt;think&gt;Agree",
        "analysis1. Agree", "analysisThe answer: Agree"}) {
    EXPECT_EQ(answer_text(reply), "") << reply;
  }
  for (const char* reply :
       {"[Analysis] Agree", "I think: <b>Agree</b>", "1 < 2, I think > Agree",
        "<answer>Agree</answer>", "It says \"<think> first\". Agree", "analysis: Agree",
        "analysis\nAgree", "{\"reason\": \"<think> is quoted\", \"C\": \"Agree\"}"}) {
    EXPECT_EQ(answer_text(reply), reply);
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
    EXPECT_EQ(read_verdicts("\xEF\xBB\xBF" + answer, parser), kFirstAlone);
  }
  for (const std::string reason :
       {"<reason>It matches.</reason>", "<reasoning>I Agree.</reasoning>",
        "<analysis>It matches.</analysis>", "<thinking>Or Disagree?</thinking>"}) {
    const std::string each = "<think>x</think>1. Agree " + reason + "\n2. Disagree " + reason +
                             "\n3. Disagree\n4. Disagree";
    for (const VerdictParser parser : {VerdictParser::published, VerdictParser::strict}) {
      EXPECT_EQ(read_verdicts(answer + "\n" + reason, parser), kFirstAlone) << reason;
      EXPECT_EQ(read_verdicts(each, parser), kFirstAlone) << reason;
    }
  }
  EXPECT_EQ(answer_text("<think>a</think>b <think>c</think>answer"), "b \nanswer");
  EXPECT_EQ(read_preference("<think>Is it A?</think>\nB"), Preference::b);
  EXPECT_EQ(read_preference("Sure. <think>Is it A?</think>B"), Preference::b);
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
       R"({"helpful_score": 0, "correct_score": 1, "irrelevant_score": 0, "extraneousScore": 0})",
       R"({"correct": "Agree", "correctness_score": 0, "H": 0, "I": 0, "E": 0, "score": 1})",
       R"([{"id": 4, "value": 0}, {"id": 1, "value": 1}, {"id": 2, "value": 0},
           {"id": 3, "value": 0}])",
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
}

TEST(JsonVerdicts, MayStandInASentence) {
  const std::string object = R"({"E": "Disagree", "I": "Disagree", "H": "Disagree", "C": "Agree"})";
  EXPECT_EQ(both("My verdicts: " + object + "."), kFirstAlone);
  EXPECT_EQ(both("Of {308} and [1], my verdicts: " + object + "."), kFirstAlone);
  const std::string list =
      R"([{"criterion": "E", "verdict": "Disagree"}, {"criterion": "I", "verdict": "Disagree"},
          {"criterion": "H", "verdict": "Disagree"}, {"criterion": "C", "verdict": "Agree"}])";
  EXPECT_EQ(both("Verdicts: " + list), kFirstAlone);
  EXPECT_EQ(both("Verdicts:\n[\"Agree\", false, \"no\", 0]\nDone."), kFirstAlone);
}

TEST(JsonVerdicts, MayQuoteATagOfThinking) {
  for (const std::string tag : {"<think>", "</think>", "[THINK]", "<analysis> and </analysis>"}) {
    const std::string object = R"({"reason": "It has )" + tag +
                               R"( in it", "E": "Disagree", "I": "Disagree", "H": "Disagree", )"
                               R"("C": "Agree")";
    EXPECT_EQ(both(object + "}"), kFirstAlone) << tag;
    EXPECT_EQ(both("Verdicts:\n```json\n" + object + "}\n```"), kFirstAlone) << tag;
    EXPECT_EQ(both("<think>Agree</think>" + object + "}"), kFirstAlone) << tag;
    EXPECT_EQ(both(object + ",}"), kNoVerdicts) << tag;
  }
}

TEST(JsonVerdicts, MayBeFourValues) {
  for (const char* reply :
       {"{\"E\": \"Disagree\"}\n{\"I\": \"Disagree\"}\n{\"H\": \"Disagree\"}\n{\"C\": \"Agree\"}",
        "Here:\n- {\"E\": false}\n- {\"I\": false}\n- {\"H\": false}\n- {\"C\": true}",
        R"([{"E": "Disagree"}, {"I": "Disagree"}, {"H": "Disagree"}, {"C": "Agree"}])",
        "Result:\n{\"aspect\": \"E\", \"verdict\": \"Disagree\"}\n"
        "{\"aspect\": \"I\", \"verdict\": \"Disagree\"}\n"
        "{\"aspect\": \"H\", \"verdict\": \"Disagree\"}\n"
        "{\"aspect\": \"C\", \"verdict\": \"Agree\"}"}) {
    EXPECT_EQ(both(reply), kFirstAlone) << reply;
  }
}

TEST(JsonVerdicts, FollowTheFormInBraces) {
  EXPECT_EQ(both("I answer in the form {aspect: verdict}.\n\n"
                 R"({"E": "Disagree", "I": "Disagree", "H": "Disagree", "C": "Agree"})"),
            kFirstAlone);
}

TEST(JsonVerdicts, AreUnderTheKeysOfAVerdict) {
  const auto with = [](const std::string& keys) {
    std::string text;
    for (const auto& [aspect, verdict, opposite] :
         std::vector<std::array<const char*, 3>>{{"C", "Agree", "false"},
                                                 {"H", "Disagree", "true"},
                                                 {"I", "Disagree", "true"},
                                                 {"E", "Disagree", "true"}}) {
      std::string members = keys;
      members.replace(members.find("VERDICT"), 7, verdict);
      const size_t at = members.find("OPPOSITE");
      if (at != members.npos) members.replace(at, 8, opposite);
      text += (text.empty() ? "{" : ", ") + ("\"" + std::string(aspect)) + "\": {" + members + "}";
    }
    return text + "}";
  };
  for (const char* keys :
       {R"("response": "VERDICT")", R"("agreement": "VERDICT", "why": "x")",
        R"("result": "VERDICT")", R"("rating": "VERDICT")", R"("final_answer": "VERDICT")",
        R"("answer": "VERDICT")", R"("candidate_answer": "No", "agreement": "VERDICT")",
        R"("reference_answer": "yes", "rating": "VERDICT")",
        R"("not_agree": OPPOSITE, "verdict": "VERDICT")",
        R"("verdict_confidence": 1, "verdict": "VERDICT")"}) {
    EXPECT_EQ(both(with(keys)), kFirstAlone) << keys;
  }
  for (const char* key : {"not_agree", "doNotAgree", "dont_agree", "disagree", "agree_reason"}) {
    EXPECT_EQ(both(with("\"x\": \"VERDICT\", \"" + std::string(key) + "\": OPPOSITE")), kNoVerdicts)
        << key;
  }
}

// The order of the words says the opposite.
TEST(JsonVerdicts, AreNeverReadInTheOrderOfTheWords) {
  const std::string open =
      R"({"irrelevant": "Disagree", "extraneous": "Disagree", "helpful": "Agree", "correct": "Agree")";
  std::string single = open;
  std::ranges::replace(single, '"', '\'');
  const std::string list =
      R"([{"criterion": 4, "verdict": "Disagree"}, {"criterion": 3, "verdict": "Disagree"},)"
      R"( {"criterion": 2, "verdict": "Agree"}, {"criterion": 1, "verdict": "Agree"},])";
  for (
      const std::string& broken :
      {open + ",}", open, open + "]", single + "}", list,
       std::string("{irrelevant: Disagree, extraneous: Disagree, helpful: Agree, correct: Agree}"),
       std::string("{ “E”: “Disagree”, “I”: “Disagree”, “H”: “Agree”, “C”: “Agree”}"),
       std::string(
           R"("{\"E\": \"Disagree\", \"I\": \"Disagree\", \"H\": \"Agree\", \"C\": \"Agree\"}")")}) {
    for (const std::string before : {"", "Here is my verdict: ", "Sure!\n\n", "Of {308}: "}) {
      EXPECT_EQ(both(before + broken), kNoVerdicts) << before << broken;
      EXPECT_EQ(both(before + "```json\n" + broken + "\n```"), kNoVerdicts) << broken;
    }
  }
}

// Where a request begins the reply with "{".
TEST(JsonVerdicts, NeedTheirOpeningBrace) {
  EXPECT_EQ(both(R"("irrelevant": "Disagree", "extraneous": "Disagree", "helpful": "Agree",
                    "correct": "Agree"})"),
            kNoVerdicts);
  EXPECT_EQ(published_verdicts("\"Paris\" is correct: Agree Disagree Disagree Disagree"),
            kFirstAlone);
}

TEST(JsonVerdicts, AreTheLastOnes) {
  const std::string draft = R"({"C": "Disagree", "H": "Disagree", "I": "Agree", "E": "Agree"})";
  const std::string answer = R"({"E": "Disagree", "I": "Disagree", "H": "Disagree", "C": "Agree"})";
  const auto fenced = [](const std::string& json) { return "```json\n" + json + "\n```\n"; };
  EXPECT_EQ(both("Draft:\n" + fenced(draft) + "Final answer:\n" + fenced(answer)), kFirstAlone);
  EXPECT_EQ(both("Draft:\n" + fenced(draft) + "Final answer: " + answer), kFirstAlone);
  EXPECT_EQ(both("Draft: " + draft + " Final answer: " + answer), kFirstAlone);
  EXPECT_EQ(both(fenced(draft) + "Final answer: " + answer.substr(0, 40)), kNoVerdicts);
  for (const char* after : {R"(Metadata: {"confidence": 0.9})", R"({"time": "3:45", "tokens": 7)",
                            "References:\n[\"dog\", \"cat\"]"}) {
    EXPECT_EQ(both(answer + "\n\n" + after), kFirstAlone) << after;
  }
}

TEST(JsonVerdicts, RemarksAreNoVerdicts) {
  EXPECT_EQ(
      both(R"({"correct_reason": "I agree", "correct": "Agree", "helpful_explanation": "I agree",
               "helpful": "Disagree", "irrelevant": "Disagree", "extraneous": "Disagree",
               "extraneousJustification": "I agree", "confidence": {"C": 1, "H": 1, "I": 1, "E": 1}})"),
      kFirstAlone);
}

TEST(JsonVerdicts, AreNoneWhereAKeyOrAValueIsUnclear) {
  for (const char* reply :
       {R"({"a": "Agree", "b": "Disagree", "d": "Disagree", "f": "Disagree"})",
        R"({"C": "Agree", "H": "Disagree", "I": "Disagree"})",
        R"({"C": "Agree", "correct": "Agree", "H": "Disagree", "I": "Disagree", "E": "Disagree"})",
        R"({"C": "Agree", "H": "maybe", "I": "Disagree", "E": "Disagree"})",
        R"({"C": "Agree", "H": "Disagree", "I": "Disagree", "no_extraneous": "Agree"})",
        R"({"C": "Agree", "H": "Disagree", "notIrrelevant": "Agree", "E": "Disagree"})",
        R"({"C": "Agree", "H": "Disagree", "I": "Disagree", "non-extraneous": "Agree"})",
        R"({"C": "Agree", "isNotHelpful": "Agree", "I": "Disagree", "E": "Disagree"})",
        R"({"C": "Agree", "H": "Disagree", "no_irrelevant_info": true, "E": "Disagree"})",
        R"({"C": "Agree", "un-helpful": "Agree", "I": "Disagree", "E": "Disagree"})",
        R"({"correct": "mostly", "correctness_score": 1, "H": 0, "I": 0, "E": 0})",
        R"([{"aspect": "The answer is not correct", "id": 1, "verdict": 0}, {"id": 2, "verdict": 0},
            {"id": 3, "verdict": 0}, {"id": 4, "verdict": 0}])",
        R"([{"id": 1, "aspect": "extraneous", "verdict": 0}, {"id": 2, "verdict": 0},
            {"id": 3, "verdict": 0}, {"id": 4, "verdict": 1}])",
        R"({"incorrect": "Agree", "H": "Disagree", "I": "Disagree", "E": "Disagree"})",
        R"({"C": 3, "H": 0, "I": 0, "E": 0})", R"({"C": "Agree", "H": "Disagree", "I": "Disag)",
        R"({"C": "Agree", "C": "Agree", "H": "Disagree", "I": "Disagree"})",
        R"(["Agree", "Disagree", "Disagree"])"}) {
    EXPECT_EQ(both(reply), kNoVerdicts) << reply;
  }
}

TEST(JsonVerdicts, BracesInASentenceAreText) {
  EXPECT_EQ(published_verdicts("Of {308} and {}: Agree Disagree Disagree Disagree"), kFirstAlone);
  for (const char* before :
       {"The references are:\n[\"dog\", \"cat\"]", "The candidate says {x: 5}.",
        "The candidate says {x: 5.", "Of {\"x\": 5, \"time\": \"3:45\"}:", "[{\"name\": \"dog\"}]",
        "[\"dog\", \"cat\", \"cow\", \"hen\"]", "[1987, 2001]"}) {
    for (const std::string heading : {"1.", "**1.**", "1)"}) {
      EXPECT_EQ(both(before + ("\n" + heading) + " Agree\n2. Disagree\n3. Disagree\n4. Disagree"),
                kFirstAlone)
          << before;
    }
    EXPECT_EQ(read_preference(before + std::string("\nB")), Preference::b) << before;
  }
  EXPECT_EQ(published_verdicts("[1] Agree\n[2] Disagree\n[3] Disagree\n[4] Disagree"), kFirstAlone);
}

TEST(JsonPreference, IsReadByItsKey) {
  EXPECT_EQ(read_preference(R"({"winner": "A", "reason": "shorter than: B"})"), Preference::a);
  EXPECT_EQ(read_preference(R"({"second": "A", "preference": "B"})"), Preference::b);
  EXPECT_EQ(read_preference(R"({"preference": "A", "second": "B"})"), Preference::a);
  EXPECT_EQ(read_preference("```json\n{\"verdict\": \"tie\"}\n```"), Preference::tie);
  EXPECT_EQ(read_preference(R"({"winner": "A", "preference": "B"})"), std::nullopt);
  EXPECT_EQ(read_preference(R"({"better_answer": "B", "worse_answer": "A"})"), Preference::b);
  EXPECT_EQ(read_preference(R"({"winner": "A", "loser": "B"})"), Preference::a);
  EXPECT_EQ(read_preference(R"({"preference": "Answer A"})"), Preference::a);
  EXPECT_EQ(read_preference(R"({"result": {"winner": "A"}, "answer_b": "A"})"), Preference::a);
  for (const char* reply :
       {R"({"first": "A"})", R"({"worse_answer": "A"})", R"({"least_preferred": "A"})",
        R"({"not_better": "B"})", R"({"loser": "B"})", R"({"candidate_answer": "A"})",
        R"({"worst": {"choice": "A"}})", R"({"one": {"winner": "A"}, "two": {"winner": "B"}})",
        R"({"preference_reason": "A"})", R"({"winner": "A",})"}) {
    EXPECT_EQ(read_preference(reply), std::nullopt) << reply;
  }
}

}  // namespace
}  // namespace rubric::judge
